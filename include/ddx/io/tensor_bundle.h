/// \file
/// Arrays in the checkpoints of TensorFlow.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/io/stored_tensor.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace ddx::io {

/// What a bundle states of one of its arrays.
struct BundleEntry {
  std::string type;            ///< As TensorFlow calls it: "DT_FLOAT".
  std::optional<DType> dtype;  ///< None where ddx has no such type.
  Shape shape;                 ///< Of rank 0 where the obstacle is in the shape or in slices.
  std::string obstacle;        ///< Why `read` cannot give it; empty where it can.

  friend bool operator==(const BundleEntry&, const BundleEntry&) = default;
};

/// How a bundle is read.
struct BundleOptions {
  bool verify_checksums = true;  ///< Of index blocks and arrays.
  /// The most bytes that names and entries of the index may take, which is compressed; else the
  /// larger of 64 MiB and 100 times the file.
  std::optional<std::uint64_t> max_index_bytes = std::nullopt;
};

/// A checkpoint of TensorFlow 2 (or of 1, in format V2): `PREFIX.index`, a sorted table of what
/// there is, and `PREFIX.data-0000I-of-0000N` with the elements. The table is read at once, arrays
/// when they are asked for. Trusts nothing in the files. A value; copies share what they have read.
///
/// Source:  TensorFlow, `core/protobuf/tensor_bundle.proto` and `core/lib/io/table_format.txt`;
///          Google, "LevelDB: table format".
/// Example:
///   const io::TensorBundle bundle("model.ckpt");
///   const auto weights = io::to_tensor<float>(bundle.read("dense/kernel"));
class TensorBundle {
 public:
  /// Throws:  EnvironmentError where the index cannot be read, is damaged (checksums), is
  ///          compressed with snappy while the library was built without it, comes from a machine
  ///          of other byte order or a later TensorFlow, or breaks the format. Names the file and
  ///          what is wrong.
  explicit TensorBundle(const std::filesystem::path& prefix, const BundleOptions& options = {});

  /// What there is, by name. TensorFlow 2 adds `_CHECKPOINTABLE_OBJECT_GRAPH`, a text.
  [[nodiscard]] const std::map<std::string, BundleEntry>& entries() const noexcept;

  /// One array.
  ///
  /// Throws:  UsageError where there is none of this name. EnvironmentError where it is of a type
  ///          that ddx has not, or stored in slices (names its obstacle); where its file cannot be
  ///          read, is too short, or its checksum differs.
  [[nodiscard]] StoredTensor read(const std::string& name) const;

  /// All arrays that can be read; the others are left out.
  ///
  /// Throws:  EnvironmentError as read.
  [[nodiscard]] StoredTensors read_all() const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

/// Returns whether this library was built with snappy. Without it, a bundle whose index is
/// compressed is an error; TensorFlow itself writes its indices uncompressed.
[[nodiscard]] bool has_snappy() noexcept;

}  // namespace ddx::io
