/// \file
/// Tensors with another element type.

#pragma once

#include "ddx/tensor/complex.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/tensor.h"

namespace ddx {

/// The elements as another type: `cast<float>(labels)`.
///
/// DTypes:   floating to floating: rounded once to the nearest, ties to even; what is too large
///           becomes infinite, a NaN stays one. Integer to floating: rounded likewise. Floating to
///           integer: truncated, clamped to what fits, a NaN becomes 0. Integer to integer: the low
///           bits stay. To bool: whether it is not zero; a NaN is not. From bool: 0 or 1.
///           From real to complex: an imaginary part of 0. From complex to bool: whether it is not
///           zero.
/// Shapes:   x [...] -> [...]
/// Throws:   UsageError from complex to real numbers: `real` and `imag` say which part is meant.
/// Gradient: the cotangent cast back, between floating and complex types; the real part of it where
///           the operand is real.
/// Source:   the clamping of XLA's convert; what fits converts as in NumPy and PyTorch, where the
///           rest is undefined.
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
  return detail::tensor_vjp(cast<To>(x), [](const Tensor<To>& dy) {
    if constexpr (ComplexScalar<To> && !ComplexScalar<From>) {
      return cast<From>(real(dy));
    } else {
      return cast<From>(dy);
    }
  });
}

// Tangent: cast likewise
template <DifferentiableScalar To, DifferentiableScalar From>
DDX_DERIVATIVE_OF(cast)
auto cast_jvp(const Tensor<From>& x, const Tensor<From>& dx) {
  return detail::tensor_jvp(cast<To>(x), dx, [](const Tensor<From>& d) { return cast<To>(d); });
}

}  // namespace ddx
