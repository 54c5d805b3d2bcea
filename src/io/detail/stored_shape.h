/// \file
/// What readers of arrays check before they believe a shape.

#pragma once

#include "ddx/core/shape.h"
#include "ddx/io/stored_tensor.h"

#include "io/detail/refusal.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ddx::io::detail {

/// The shape of these extents, where its elements of `element_bytes` bytes take exactly
/// `total_bytes`; `refuse` is called where they do not, or there are more axes than a Shape
/// has.
[[nodiscard]] Shape stored_shape(std::span<const std::uint64_t> extents, std::size_t element_bytes,
                                 std::uint64_t total_bytes, const Refusal& refuse);

/// Calls `refuse` for a truth value that is neither 0 nor 1.
void check_truth_values(const StoredTensor& array, const Refusal& refuse);

/// Throws: UsageError where the array could not be read, or its bytes do not fit its dtype and
///         shape; `operation` opens the message, `name` calls the array.
void check_byte_count(const StoredTensor& array, const std::string& operation,
                      const std::string& name);

/// Text from a file as a message can show it: what is no printable ASCII becomes '?'.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace ddx::io::detail
