/// \file
/// The arithmetic of optimisers, for parameters that are tensors and for those that are numbers.

#pragma once

#include "ddx/ad/detail/zeros.h"
#include "ddx/ad/tangent.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/nn/path.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/in_place.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <concepts>
#include <string>
#include <utility>

namespace ddx::nn::detail {

/// A zero for each parameter, of its shape and device.
template <class Model>
TangentOf<Model> zeros_shaped_like(const Model& model) {
  TangentOf<Model> zeros{};
  ddx::detail::conform<Model>(zeros, model);
  return zeros;
}

/// a + scale b. A symbolic zero stays one, or leaves the other as it is.
template <FloatingScalar Scalar>
Tensor<Scalar> plus_scaled(Tensor<Scalar> a, double scale, const Tensor<Scalar>& b) {
  if (b.is_symbolic_zero()) {
    return a;
  }
  if (a.is_symbolic_zero()) {
    return b * static_cast<Scalar>(scale);
  }
  return add_scaled(std::move(a), static_cast<Scalar>(scale), b);
}
template <std::floating_point Number>
Number plus_scaled(Number a, double scale, Number b) {
  return a + static_cast<Number>(scale) * b;
}

/// scale a.
template <FloatingScalar Scalar>
Tensor<Scalar> scaled(const Tensor<Scalar>& a, double scale) {
  return a.is_symbolic_zero() ? a : a * static_cast<Scalar>(scale);
}
template <std::floating_point Number>
Number scaled(Number a, double scale) {
  return static_cast<Number>(scale) * a;
}

/// a / (sqrt(b) + epsilon), element by element.
template <FloatingScalar Scalar>
Tensor<Scalar> over_root(const Tensor<Scalar>& a, const Tensor<Scalar>& b, double epsilon) {
  return a / (sqrt(b) + static_cast<Scalar>(epsilon));
}
template <std::floating_point Number>
Number over_root(Number a, Number b, double epsilon) {
  return a / (std::sqrt(b) + static_cast<Number>(epsilon));
}

/// a a, element by element.
template <FloatingScalar Scalar>
Tensor<Scalar> squared(const Tensor<Scalar>& a) {
  return square(a);
}
template <std::floating_point Number>
Number squared(Number a) {
  return a * a;
}

/// Whether the gradient is a symbolic zero: the parameter did not take part.
template <FloatingScalar Scalar>
bool is_absent(const Tensor<Scalar>& gradient) {
  return gradient.is_symbolic_zero();
}
template <std::floating_point Number>
bool is_absent(Number) {
  return false;
}

/// Throws: UsageError where shapes differ: "SGD: gradient of conv1.filter has shape [2], the
/// parameter has shape [3]".
template <FloatingScalar Scalar>
void check_gradient(const char* optimizer, const Path& path, const Tensor<Scalar>& parameter,
                    const Tensor<Scalar>& gradient) {
  if (!gradient.is_symbolic_zero() && gradient.shape() != parameter.shape()) {
    throw UsageError(optimizer, "gradient of " + to_string(path) + " has shape " +
                                    to_string(gradient.shape()) + ", the parameter has shape " +
                                    to_string(parameter.shape()));
  }
}
template <std::floating_point Number>
void check_gradient(const char*, const Path&, Number, Number) {}

}  // namespace ddx::nn::detail
