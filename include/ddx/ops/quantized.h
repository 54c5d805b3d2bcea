/// \file
/// The family QuantizedProduct.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"

#include <cstdint>

namespace ddx::ops {

/// How many elements of a row of a quantised matrix share a scale.
inline constexpr std::int64_t quantized_group = 32;

/// What numbers of so many bits are counted from.
[[nodiscard]] constexpr int quantized_zero(std::int64_t bits) noexcept {
  return bits == 8 ? 128 : 8;
}

/// A product x w^T with a quantised matrix w of `rows` rows of `groups` groups, as numbers.
struct QuantizedExtents {
  explicit QuantizedExtents(const Call& call) noexcept;

  std::int64_t count = 1;  ///< Rows of x.
  std::int64_t columns = 0;
  std::int64_t rows = 0;
  std::int64_t groups = 0;
  std::int64_t bits = 8;
};

/// The shape of the result.
///
/// Shapes:  x [..., columns], numbers [rows, 32 groups] or [rows, 16 groups] of 4 bits, scales
///          [rows, groups] -> [..., rows]
/// Throws:  UsageError where there are other bits, x has no axis, or the columns are not those of
///          so many groups.
[[nodiscard]] Shape quantized_matmul_shape(const Site& site, const Shape& x, const Shape& numbers,
                                           const Shape& scales, const QuantizedAttributes& a);

/// The reference kernel, or null where the operation is of another family or not defined for the
/// dtype.
[[nodiscard]] Kernel quantized_reference(Op op, DType dtype) noexcept;

}  // namespace ddx::ops
