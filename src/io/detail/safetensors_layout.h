/// \file
/// Where the arrays of a safetensors file lie.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/input_file.h"
#include "ddx/io/stored_tensor.h"

#include "io/detail/refusal.h"
#include "io/detail/safetensors_header.h"

#include <cstdint>
#include <span>
#include <string>

namespace ddx::io::detail {

/// A safetensors file without the bytes of its arrays. All of it is checked: each array lies in the
/// file, takes the bytes of its dtype and shape, and begins where the one before it ends.
struct SafetensorsLayout {
  SafetensorsHeader header;
  StoredTensors arrays;          ///< Without bytes; of these names, and with obstacles.
  std::uint64_t data_begin = 0;  ///< What the offsets of the header count from.
};

/// How long a header may be.
struct HeaderLimit {
  std::uint64_t bytes;
  std::string option;  ///< The option that sets the limit.
};

/// Reads the header of a file; `name` is the file's for the obstacles of arrays. `refuse` is called
/// with what is wrong, and throws.
[[nodiscard]] SafetensorsLayout read_safetensors_layout(const InputFile& file,
                                                        const std::string& name,
                                                        const HeaderLimit& limit,
                                                        const Refusal& refuse);

/// Calls `refuse` where the array `name` is of truth values and one is neither 0 nor 1.
void check_safetensors_bytes(const std::string& name, DType dtype,
                             std::span<const std::uint8_t> bytes, const Refusal& refuse);

}  // namespace ddx::io::detail
