/// \file
/// The elements of an operand of indices, for checks.

#pragma once

#include "ddx/ops/kernel.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace ddx::detail {

/// The elements. Requires dtype i32.
inline std::span<const std::int32_t> indices_of(const ops::View& indices) noexcept {
  return {indices.data<std::int32_t>(), static_cast<std::size_t>(indices.shape().count())};
}

}  // namespace ddx::detail
