/// \file
/// Some rows of a stored array.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace ddx::io::detail {

/// Rows, from one on, with elements of a dtype.
struct RowRange {
  std::int64_t first_row = 0;
  DType dtype = DType::f32;
};

/// The number of the first element of rows of an array, which fill this memory.
///
/// Throws:  UsageError where the array has no axes or not these rows, or the memory is no whole
///          number of them.
[[nodiscard]] std::size_t first_element(const char* operation, const std::string& name,
                                        const Shape& shape, const RowRange& rows,
                                        std::span<const std::uint8_t> memory);

}  // namespace ddx::io::detail
