/// \file
/// The family Matmul.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"

#include <cstdint>

namespace ddx::ops {

/// A product of matrices as numbers: `stack` products of [rows, inner] and [inner, columns]. An
/// operand without leading axes is the same for the whole stack.
struct MatmulExtents {
  std::int64_t stack = 1;
  std::int64_t rows = 0;
  std::int64_t inner = 0;
  std::int64_t columns = 0;
  bool stacked_left = false;
  bool stacked_right = false;
};

/// The extents of a valid product.
[[nodiscard]] MatmulExtents matmul_extents(const Shape& a, const Shape& b,
                                           const MatmulAttributes& attributes) noexcept;

/// The shape of the product.
///
/// Shapes:  a [..., m, k], b [..., k, n] -> [..., m, n]; the leading axes are equal, or one operand
///          has none
/// Throws:  UsageError where a rank is < 2, or inner extents or leading axes differ.
[[nodiscard]] Shape matmul_shape(const Site& site, const Shape& a, const Shape& b,
                                 const MatmulAttributes& attributes);

/// The leading axes of a product whose operands are stretched to them first, as NumPy does: aligned
/// at the last one; those that are missing or have extent 1 are repeated.
///
/// Shapes:  a [a..., m, k], b [b..., k, n] -> [...], a... and b... broadcast together
/// Throws:  UsageError where a rank is < 2, inner extents differ, or the leading axes do not
///          broadcast.
[[nodiscard]] Shape matmul_stack(const Site& site, const Shape& a, const Shape& b,
                                 const MatmulAttributes& attributes);

/// The reference kernel, or null where the operation is of another family or not defined for the
/// dtype.
[[nodiscard]] Kernel matmul_reference(Op op, DType dtype) noexcept;

}  // namespace ddx::ops
