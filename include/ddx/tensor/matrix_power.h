/// \file
/// Integer powers of matrices.

#pragma once

#include "ddx/tensor/creation.h"
#include "ddx/tensor/detail/linear_algebra.h"
#include "ddx/tensor/diagonal.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/solve.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx {

/// The product of n copies of each matrix, of its inverse for a negative n; the identity for 0.
/// (Of the elements: `pow`.)
///
/// Shapes:   x [a..., n, n] -> [a..., n, n]
/// Throws:   UsageError where the rank is below 2, the matrices are not square, or one is singular
///           and n is negative.
/// Gradient: through each product.
/// Cost:     at most 2 log2 |n| products of matrices.
template <MatrixScalar Scalar>
[[nodiscard]] Tensor<Scalar> matrix_power(
    const Tensor<Scalar>& x, std::int64_t n,
    std::source_location where = std::source_location::current()) {
  const std::int64_t rows = detail::square_extents("matrix_power", x.shape(), where).rows;
  if (n == 0) {
    return broadcast_to(eye<Scalar>(rows, rows, x.device()), x.shape());
  }
  Tensor<Scalar> base = n < 0 ? inverse(x, where) : x;
  std::int64_t rest = n < 0 ? -n : n;
  while (rest % 2 == 0) {
    base = matmul(base, base);
    rest /= 2;
  }
  Tensor<Scalar> result = base;
  for (rest /= 2; rest > 0; rest /= 2) {
    base = matmul(base, base);
    if (rest % 2 != 0) {
      result = matmul(result, base);
    }
  }
  return result;
}

}  // namespace ddx
