/// \file
/// Which products have so few rows that reading the right operand limits them.

#pragma once

#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/matmul.h"

#include <cstdint>

namespace ddx::backend::cpu {

/// The most rows of such products; see kernels/few_rows.inc.
inline constexpr std::int64_t most_few_rows = 16;

/// The extents of the product that a call asks for.
[[nodiscard]] inline ops::MatmulExtents matmul_extents_of(const ops::Call& call) noexcept {
  return ops::matmul_extents(call.input(0).shape(), call.input(1).shape(),
                             call.attributes<ops::MatmulAttributes>());
}

/// Whether a stack of products is one product of all the rows.
[[nodiscard]] inline bool is_one_product(const ops::MatmulExtents& e,
                                         const ops::MatmulAttributes& attributes) noexcept {
  return e.stacked_left && !e.stacked_right && !attributes.transpose_left;
}

[[nodiscard]] inline bool has_few_rows(const ops::Call& call) noexcept {
  const ops::MatmulExtents e = matmul_extents_of(call);
  const bool is_one = is_one_product(e, call.attributes<ops::MatmulAttributes>());
  return e.rows * (is_one ? e.stack : 1) <= most_few_rows;
}

}  // namespace ddx::backend::cpu
