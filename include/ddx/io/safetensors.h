/// \file
/// Named arrays in one file, in the safetensors format.

#pragma once

#include "ddx/io/stored_tensor.h"

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

/// Reads a safetensors file. Trusts nothing in it: the header must be exactly what the format
/// says, and the arrays must fill the rest of the file without gap or overlap.
///
/// DTypes:  F64, F32, F16, BF16, I64, I32, I16, I8, U64, U32, U16, U8, BOOL.
/// Throws:  EnvironmentError where the file cannot be read, is truncated, or breaks the format.
/// Names
///          the file and the offset or the array.
/// Source:  Hugging Face, "Safetensors" (https://github.com/huggingface/safetensors).
[[nodiscard]] TensorFile read_safetensors(const std::filesystem::path& file);

/// Writes a safetensors file, atomically. Equal contents give equal bytes.
///
/// Throws:  UsageError where an array's bytes do not fit its dtype and shape, or it is named
///          "__metadata__". EnvironmentError where the file cannot be written.
void write_safetensors(const std::filesystem::path& file, const TensorFile& content);

}  // namespace ddx::io
