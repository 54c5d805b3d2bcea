/// \file
/// Bounds: the larger, the smaller, and both.

#pragma once

#include "ddx/tensor/comparison.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/detail/bare_number.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx {

/// The larger one of an element and a bare number. Gradients as of two tensors.
///
/// Shapes:   a [...] -> [...]
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> maximum(const Tensor<Scalar>& a, detail::BareNumber<Scalar> b) {
  return maximum(a, detail::beside<Scalar>(b, a.device()));
}

/// As above, with the number on the left.
///
/// Shapes:   b [...] -> [...]
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> maximum(detail::BareNumber<Scalar> a, const Tensor<Scalar>& b) {
  return maximum(detail::beside<Scalar>(a, b.device()), b);
}

/// The smaller one of an element and a bare number. Gradients as of two tensors.
///
/// Shapes:   a [...] -> [...]
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> minimum(const Tensor<Scalar>& a, detail::BareNumber<Scalar> b) {
  return minimum(a, detail::beside<Scalar>(b, a.device()));
}

/// As above, with the number on the left.
///
/// Shapes:   b [...] -> [...]
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> minimum(detail::BareNumber<Scalar> a, const Tensor<Scalar>& b) {
  return minimum(detail::beside<Scalar>(a, b.device()), b);
}

/// min(max(x, low), high): what is below `low` becomes `low`, what is above `high` becomes `high`;
/// `high` where the bounds are the wrong way round. A NaN stays.
///
/// Shapes:   x [...], low [...], high [...], broadcast together
/// Throws:   UsageError where they do not broadcast, or lie on different devices.
/// Gradient: dy to x, or to the bound that took its place; half to each where the two are equal.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> clip(const Tensor<Scalar>& x, const Tensor<Scalar>& low,
                                  const Tensor<Scalar>& high,
                                  std::source_location where = std::source_location::current()) {
  return minimum(maximum(x, low, where), high, where);
}

/// As above, with two bare numbers.
///
/// Shapes:   x [...] -> [...]
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> clip(const Tensor<Scalar>& x, detail::BareNumber<Scalar> low,
                                  detail::BareNumber<Scalar> high) {
  return minimum(maximum(x, low), high);
}

/// As above, with a bare number above.
///
/// Shapes:   x [...], low [...], broadcast together
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> clip(const Tensor<Scalar>& x, const Tensor<Scalar>& low,
                                  detail::BareNumber<Scalar> high,
                                  std::source_location where = std::source_location::current()) {
  return minimum(maximum(x, low, where), high);
}

/// As above, with a bare number below.
///
/// Shapes:   x [...], high [...], broadcast together
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> clip(const Tensor<Scalar>& x, detail::BareNumber<Scalar> low,
                                  const Tensor<Scalar>& high,
                                  std::source_location where = std::source_location::current()) {
  return minimum(maximum(x, low), high, where);
}

}  // namespace ddx
