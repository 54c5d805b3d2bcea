/// \file
/// The elements of an array of indices, for checks.

#pragma once

#include "ddx/tensor/detail/array.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace ddx::detail {

/// The elements. Requires dtype i32.
inline std::span<const std::int32_t> indices_of(const Array& indices) {
  return {static_cast<const std::int32_t*>(indices.data()),
          static_cast<std::size_t>(indices.shape().count())};
}

}  // namespace ddx::detail
