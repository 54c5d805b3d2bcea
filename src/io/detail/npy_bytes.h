/// \file
/// The content of `.npy` files, in memory.

#pragma once

#include "ddx/io/npy.h"
#include "ddx/io/stored_tensor.h"

#include "io/detail/refusal.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ddx::io::detail {

/// The array that these bytes of a `.npy` file hold; `refuse` is called with what is wrong with
/// them, and throws. A dtype that ddx has not is an obstacle of the array.
[[nodiscard]] StoredTensor decode_npy(std::span<const std::uint8_t> bytes, const Refusal& refuse);

/// The bytes of the `.npy` file of an array.
///
/// Throws: UsageError as write_npy; `operation` opens the message, `name` calls the array.
[[nodiscard]] std::vector<std::uint8_t> encode_npy(const StoredTensor& array,
                                                   const NpyWriteOptions& options,
                                                   const std::string& operation,
                                                   const std::string& name);

}  // namespace ddx::io::detail
