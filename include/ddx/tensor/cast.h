/// \file
/// Tensors with another element type.

#pragma once

#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/tensor.h"

namespace ddx {

/// The elements as another type: `cast<float>(labels)`. A floating number becomes an integer by
/// truncation, clamped to what fits, a NaN becomes 0; between integers the low bits stay; to bool
/// it tells what is not zero.
///
/// Shapes:   x [...] -> [...]
/// Gradient: the cotangent cast back, between floating types.
template <TensorScalar To, TensorScalar From>
[[nodiscard]] Tensor<To> cast(const Tensor<From>& x) {
  return Tensor<To>(detail::cast(x.array(), dtype_of<To>));
}

// Primal:  y = x, rounded to To
// Adjoint: adj[x] += adj[y], rounded to From
// Saves:   nothing
template <TensorScalar To, TensorScalar From>
DDX_DERIVATIVE_OF(cast)
auto cast_vjp(const Tensor<From>& x) {
  return detail::tensor_vjp(cast<To>(x), [](const Tensor<To>& dy) { return cast<From>(dy); });
}

}  // namespace ddx
