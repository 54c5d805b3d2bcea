/// \file
/// Elements that lie apart, side by side.

#pragma once

#include "ddx/core/shape.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ddx::io::detail {

/// Whether these strides are those of an array in row-major order without gaps.
[[nodiscard]] bool is_dense(const Shape& shape, const Strides& strides) noexcept;

/// The elements of an array in row-major order. Requires that all lie in `bytes`, the first at its
/// beginning, and that `element_bytes` is 1, 2, 4, 8 or 16.
[[nodiscard]] std::vector<std::uint8_t> strided_copy(std::span<const std::uint8_t> bytes,
                                                     const Shape& shape, const Strides& strides,
                                                     std::size_t element_bytes);

}  // namespace ddx::io::detail
