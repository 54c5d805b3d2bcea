/// \file
/// Whether elements may be looked at.

#pragma once

#include "ddx/tensor/detail/array.h"

namespace ddx::detail {

/// Whether an array is of a lazy device while this thread stages a function: there may be nothing
/// yet to look at.
[[nodiscard]] bool is_staged(const Array& array) noexcept;

}  // namespace ddx::detail
