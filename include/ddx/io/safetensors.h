/// \file
/// Named arrays in one file, in the safetensors format.

#pragma once

#include "ddx/io/stored_tensor.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace ddx::io {

/// The content of a safetensors file: arrays and remarks, each by name.
struct TensorFile {
  StoredTensors tensors;
  std::map<std::string, std::string> metadata;

  friend bool operator==(const TensorFile&, const TensorFile&) = default;
};

/// What becomes of the checksum that a file may have (SafetensorsWriteOptions::checksum).
enum class ChecksumUse : std::uint8_t {
  Ignored,    ///< It is not compared.
  IfPresent,  ///< It is compared where the file has one.
  Required,   ///< A file without one is refused.
};

/// How a safetensors file is read.
struct SafetensorsReadOptions {
  ChecksumUse checksum = ChecksumUse::IfPresent;
  /// The longest header that is accepted; the default is that of the format's own reader. The
  /// memory that a header takes is at most about 20 times its length.
  std::uint64_t max_header_bytes = 100'000'000;
};

/// Reads a safetensors file. Trusts nothing in it: the header must be exactly what the format
/// says, and the arrays must fill the rest of the file without gap or overlap; both are checked
/// before memory is taken for an array. An array of a dtype that ddx has not is not read, and says
/// so (StoredTensor::obstacle). The remarks of the checksum are not among the metadata.
///
/// DTypes:  F64, F32, F16, BF16, I64, I32, I16, I8, U64, U32, U16, U8, BOOL, C64.
/// Throws:  EnvironmentError where the file cannot be read, is truncated, breaks the format, or its
///          checksum differs. Names the file and the offset or the array.
/// Cost:    beside the header the memory of the arrays. A checksum takes 0.7 s for each GB.
/// Source:  Hugging Face, "Safetensors" (https://github.com/huggingface/safetensors).
[[nodiscard]] TensorFile read_safetensors(const std::filesystem::path& file,
                                          const SafetensorsReadOptions& options = {});

/// How a safetensors file is written.
struct SafetensorsWriteOptions {
  /// Whether the file gets a checksum of its arrays and remarks, as two more remarks ("ddx.crc32"),
  /// which `read_safetensors` compares and other readers pass by.
  bool checksum = false;
};

/// Writes a safetensors file, atomically. Equal contents give equal bytes.
///
/// Throws:  UsageError where an array's bytes do not fit its dtype and shape, an array is named
///          "__metadata__" or could not be read (StoredTensor::obstacle), or a remark has the name
///          of one of the checksum's. EnvironmentError where the file cannot be written.
/// Cost:    a checksum takes 0.7 s for each GB.
void write_safetensors(const std::filesystem::path& file, const TensorFile& content,
                       const SafetensorsWriteOptions& options = {});

}  // namespace ddx::io
