/// \file
/// Arrays and metadata of GGUF files.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/io/stored_tensor.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace ddx::io {

/// A value of the metadata. Integers of all widths are 64 bits wide here, without a sign only where
/// they are too large for one; reals are double.
struct GgufValue {
  std::variant<bool, std::int64_t, std::uint64_t, double, std::string, std::vector<GgufValue>>
      value;

  friend bool operator==(const GgufValue&, const GgufValue&) = default;
};

/// An array as a GGUF file holds it.
struct GgufArray {
  Shape shape;                          ///< Row-major: the file's extents in the reverse order.
  std::string type;                     ///< As ggml calls it: "F16", "Q4_0".
  DType dtype = DType::f32;             ///< Of its elements when they are read; f32 of blocks.
  std::span<const std::uint8_t> bytes;  ///< As they lie in the file.
  std::string obstacle = {};            ///< As StoredTensor::obstacle.
};

/// How a GGUF file is opened.
struct GgufViewOptions {
  /// The most bytes that the metadata and the names of arrays may take in memory.
  std::uint64_t max_bytes = std::uint64_t{1} << 30;
};

/// A GGUF file, in which llama.cpp keeps models, mapped into memory: metadata by name, and arrays,
/// whose bytes are read when they are used. Versions 2 and 3, little-endian. A value; copies share
/// the mapping. What MappedFile says of files that change holds here.
///
/// Elements of the types F32, F16, BF16, F64, I8, I16, I32 and I64 are read as they are; the blocks
/// of Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q4_K, Q5_K and Q6_K are multiplied out to f32. An array of
/// another type of ggml has an obstacle.
///
/// Source:  ggml, `docs/gguf.md`; the blocks: `gguf/quants.py` of the PyPI package gguf 0.19.
/// Example:
///   const io::GgufView file("SmolLM2-135M-Q4_0.gguf");
///   const auto norm = io::to_tensor<float>(file.read("output_norm.weight"));
class GgufView {
 public:
  /// Throws:  EnvironmentError where the file cannot be read, is of another version or byte order,
  ///          or is damaged: a count, a length or an offset that reaches past its end, an unknown
  ///          type, a key or an array that stands twice, arrays that overlap or are not aligned, an
  ///          alignment that is no power of two, a row that is no whole number of blocks, lists
  ///          within more than 8 lists, or more metadata than the limit. Names the file and the
  ///          byte, the key or the array.
  explicit GgufView(const std::filesystem::path& file, const GgufViewOptions& options = {});

  /// The file that was opened.
  [[nodiscard]] const std::filesystem::path& file() const noexcept;

  /// All arrays, by name.
  [[nodiscard]] const std::map<std::string, GgufArray>& arrays() const noexcept;

  /// The metadata, by name: "general.architecture", "tokenizer.ggml.tokens".
  [[nodiscard]] const std::map<std::string, GgufValue>& metadata() const noexcept;

  /// A copy of one array, of its `dtype`.
  ///
  /// Throws:  UsageError where there is none of this name, or it has an obstacle.
  [[nodiscard]] StoredTensor read(const std::string& name) const;

  /// Writes one array into memory, with elements of another floating-point dtype as
  /// `convert_into`, and returns the memory of the file's bytes to the system on the way.
  ///
  /// Throws:  UsageError as read, and as `convert_into`.
  /// Cost:    beside `elements` at most 8 MiB of memory.
  void read_into(const std::string& name, DType dtype, std::span<std::uint8_t> elements) const;

  /// The same for the rows from one on: for as many as the memory has room for. Rows are all but
  /// the first axis.
  ///
  /// Throws:  UsageError as read, as `convert_into`, and where the rows are not there or the memory
  ///          is no whole number of them.
  void read_rows_into(const std::string& name, std::int64_t first_row, DType dtype,
                      std::span<std::uint8_t> elements) const;

  /// The bits of the numbers of an array that lies in groups as QuantizedMatrix has them, of 32
  /// numbers and a scale of 16 bits: 8 of Q8_0, 4 of Q4_0, none of other types.
  ///
  /// Throws:  UsageError where there is none of this name.
  [[nodiscard]] std::optional<int> group_bits(const std::string& name) const;

  /// Writes the numbers and the scales of the groups of such an array from one on, as
  /// QuantizedMatrix has them, and returns the memory of the file's bytes on the way.
  ///
  /// Throws:  UsageError as read, where the array is not in such groups, where the groups are not
  ///          there, and where the memory does not have room for as many numbers as scales.
  void read_groups(const std::string& name, std::int64_t first_group,
                   std::span<std::uint8_t> numbers, std::span<std::uint8_t> scales) const;

  /// Returns to the system the memory that the bytes of an array take. They stay valid, and are
  /// read again when they are used again.
  ///
  /// Throws:  UsageError where there is none of this name.
  void drop(const std::string& name) const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace ddx::io
