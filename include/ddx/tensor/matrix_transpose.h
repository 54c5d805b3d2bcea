/// \file
/// The transposes of stacks of matrices.

#pragma once

#include "ddx/tensor/detail/linear_algebra.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx {

/// Each matrix transposed: the last two axes exchanged.
///
/// Shapes:   x [a..., n, m] -> [a..., m, n]
/// Throws:   UsageError where the rank is below 2.
/// Gradient: the cotangent transposed.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> matrix_transpose(
    const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) {
  return transpose(x, detail::exchanged_last_axes("matrix_transpose", x.shape(), where), where);
}

}  // namespace ddx
