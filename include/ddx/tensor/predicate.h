/// \file
/// What kind of number an element is.

#pragma once

#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/tensor.h"

namespace ddx {

/// Whether it is neither infinite nor NaN, element by element.
///
/// Shapes:  x [...] -> [...]
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<bool> is_finite(const Tensor<Scalar>& x) {
  return Tensor<bool>(detail::unary(ops::Op::is_finite, x.array()));
}

/// Whether it is infinite, of either sign, element by element.
///
/// Shapes:  x [...] -> [...]
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<bool> is_inf(const Tensor<Scalar>& x) {
  return Tensor<bool>(detail::unary(ops::Op::is_inf, x.array()));
}

/// Whether it is not a number, element by element.
///
/// Shapes:  x [...] -> [...]
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<bool> is_nan(const Tensor<Scalar>& x) {
  return Tensor<bool>(detail::unary(ops::Op::is_nan, x.array()));
}

}  // namespace ddx
