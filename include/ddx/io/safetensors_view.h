/// \file
/// Arrays of a safetensors file, one at a time.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/io/safetensors.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/io/stored_view.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>

namespace ddx::io {

/// How a safetensors file is opened.
struct SafetensorsViewOptions {
  /// What becomes of its checksum when it is opened; to compare it reads the whole file.
  ChecksumUse checksum = ChecksumUse::Ignored;
  std::uint64_t max_header_bytes = 100'000'000;  ///< As SafetensorsReadOptions.
};

/// A safetensors file that is mapped into memory. Opening it reads and checks the header, as
/// `read_safetensors`; the bytes of an array are read when they are used. A value; copies share the
/// mapping. What MappedFile says of files that change holds here.
///
/// Example:
///   const io::SafetensorsView file("model.safetensors");
///   const auto bias = io::to_tensor<float>(file.read("classifier.bias"));
class SafetensorsView {
 public:
  /// Throws:  EnvironmentError as `read_safetensors`.
  explicit SafetensorsView(const std::filesystem::path& file,
                           const SafetensorsViewOptions& options = {});

  /// All arrays, by name. The bytes of `bool` arrays are not checked. An array of a dtype that
  /// ddx has not has an obstacle and no bytes.
  [[nodiscard]] const std::map<std::string, StoredView>& arrays() const noexcept;

  /// The remarks, by name, without those of the checksum.
  [[nodiscard]] const std::map<std::string, std::string>& metadata() const noexcept;

  /// A copy of one array.
  ///
  /// Throws:  UsageError where there is none of this name. EnvironmentError where a truth value is
  ///          neither 0 nor 1.
  [[nodiscard]] StoredTensor read(const std::string& name) const;

  /// Writes one array into memory, with elements of another floating-point dtype as
  /// `convert_into`, and returns the memory of the file's bytes to the system on the way.
  ///
  /// Throws:  UsageError where there is none of this name, and as `convert_into`. EnvironmentError
  ///          where a truth value is neither 0 nor 1.
  /// Cost:    beside `elements` at most 4 MiB of memory.
  void read_into(const std::string& name, DType dtype, std::span<std::uint8_t> elements) const;

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
