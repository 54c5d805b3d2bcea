/// \file
/// The arithmetic of optimisers, for parameters that are tensors and for those that are numbers.

#pragma once

#include "ddx/ad/detail/zeros.h"
#include "ddx/ad/tangent.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/nn/path.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/clip.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/in_place.h"
#include "ddx/tensor/reduction.h"
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

/// A parameter, donated where the operation writes over it at once and takes no memory;
/// else shared: where memory runs out, it is still there.
template <FloatingScalar Scalar>
Tensor<Scalar> given_away(Tensor<Scalar>& a) {
  return a.array().unshared() ? std::move(a) : a;
}
template <std::floating_point Number>
Number given_away(Number a) {
  return a;
}

/// Whether a parameter has no elements, such as the bias of a layer without one. Arithmetic on it
/// would cost a recording device operations, scalars and results that mean nothing.
template <FloatingScalar Scalar>
bool is_empty(const Tensor<Scalar>& a) {
  return a.count() == 0;
}
template <std::floating_point Number>
bool is_empty(Number) {
  return false;
}

/// scale a. A symbolic zero stays one.
template <FloatingScalar Scalar>
Tensor<Scalar> scaled(const Tensor<Scalar>& a, double scale) {
  return a.is_symbolic_zero() || is_empty(a) ? a : a * static_cast<Scalar>(scale);
}
template <std::floating_point Number>
Number scaled(Number a, double scale) {
  return static_cast<Number>(scale) * a;
}

/// Zeros of the same form. A symbolic zero stays one.
template <FloatingScalar Scalar>
Tensor<Scalar> cleared(const Tensor<Scalar>& a) {
  return a.is_symbolic_zero() || is_empty(a) ? a : zeros<Scalar>(a.shape(), a.device());
}
template <std::floating_point Number>
Number cleared(Number) {
  return 0;
}

/// a + scale b. A symbolic zero stays one, or leaves the other as it is.
template <FloatingScalar Scalar>
Tensor<Scalar> plus_scaled(Tensor<Scalar> a, double scale, const Tensor<Scalar>& b) {
  if (b.is_symbolic_zero() || (is_empty(a) && a.shape() == b.shape())) {
    return a;
  }
  if (a.is_symbolic_zero()) {
    return scaled(b, scale);
  }
  return add_scaled(std::move(a), static_cast<Scalar>(scale), b);
}
template <std::floating_point Number>
Number plus_scaled(Number a, double scale, Number b) {
  return a + static_cast<Number>(scale) * b;
}

/// a + b for a bare number b.
template <FloatingScalar Scalar>
Tensor<Scalar> plus(const Tensor<Scalar>& a, double b) {
  return a + static_cast<Scalar>(b);
}
template <std::floating_point Number>
Number plus(Number a, double b) {
  return a + static_cast<Number>(b);
}

/// g + decay w: the gradient of the loss with decay / 2 w^2 added to it.
template <class Parameter>
Parameter with_decay(const Parameter& gradient, double decay, const Parameter& weight) {
  return decay == 0 ? gradient : plus_scaled(gradient, decay, weight);
}

/// keep a + (1 - keep) b: how a moving average a follows b.
template <class Parameter>
Parameter moved_average(const Parameter& a, double keep, const Parameter& b) {
  return plus_scaled(scaled(a, keep), 1 - keep, b);
}

/// -1, 0 or 1, element by element.
template <FloatingScalar Scalar>
Tensor<Scalar> direction(const Tensor<Scalar>& a) {
  return sign(a);
}
template <std::floating_point Number>
Number direction(Number a) {
  return static_cast<Number>((a > 0) - (a < 0));
}

/// The larger one, element by element. A NaN wins.
template <FloatingScalar Scalar>
Tensor<Scalar> larger(const Tensor<Scalar>& a, const Tensor<Scalar>& b) {
  return maximum(a, b);
}
template <std::floating_point Number>
Number larger(Number a, Number b) {
  return std::isnan(a) || a > b ? a : b;
}

/// The absolute value, element by element.
template <FloatingScalar Scalar>
Tensor<Scalar> magnitude(const Tensor<Scalar>& a) {
  return abs(a);
}
template <std::floating_point Number>
Number magnitude(Number a) {
  return std::fabs(a);
}

/// The square root, element by element.
template <FloatingScalar Scalar>
Tensor<Scalar> root(const Tensor<Scalar>& a) {
  return sqrt(a);
}
template <std::floating_point Number>
Number root(Number a) {
  return std::sqrt(a);
}

/// Whether no element is infinite or NaN.
template <FloatingScalar Scalar>
bool all_finite(const Tensor<Scalar>& a) {
  return a.count() == 0 || std::isfinite(static_cast<double>(max(abs(a)).item()));
}
template <std::floating_point Number>
bool all_finite(Number a) {
  return std::isfinite(a);
}

/// Each element, or the end of [-limit, limit] that it is beyond. NaN stays.
template <FloatingScalar Scalar>
Tensor<Scalar> clamped(const Tensor<Scalar>& a, double limit) {
  const auto end = full(Shape(), static_cast<Scalar>(limit), a.device());
  return minimum(maximum(a, -end), end);
}
template <std::floating_point Number>
Number clamped(Number a, double limit) {
  const auto end = static_cast<Number>(limit);
  return a < -end ? -end : (a > end ? end : a);
}

/// Each element, or 0 where it is negative. NaN stays.
template <FloatingScalar Scalar>
Tensor<Scalar> not_negative(const Tensor<Scalar>& a) {
  return maximum(a, Scalar{0});
}
template <std::floating_point Number>
Number not_negative(Number a) {
  return a < 0 ? Number{0} : a;
}

/// How many numbers a parameter holds.
template <FloatingScalar Scalar>
double element_count(const Tensor<Scalar>& a) {
  return static_cast<double>(a.count());
}
template <std::floating_point Number>
double element_count(Number) {
  return 1;
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

/// Throws: UsageError where two values of one place differ in shape or device: "SGD: gradient of
///         conv1.filter has shape [2], its parameter has shape [3]".
template <FloatingScalar Scalar>
void check_alike(const char* operation, const Path& path, const char* what, const Tensor<Scalar>& a,
                 const char* other, const Tensor<Scalar>& b) {
  const auto differ = [&](const char* verb, const std::string& of_a, const std::string& of_b) {
    throw UsageError(operation, std::string(what) + " of " + to_string(path) + verb + of_a +
                                    ", its " + other + verb + of_b);
  };
  if (a.shape() != b.shape()) {
    differ(" has shape ", to_string(a.shape()), to_string(b.shape()));
  }
  if (a.device() != b.device()) {
    differ(" lies on device ", to_string(a.device()), to_string(b.device()));
  }
}
template <std::floating_point Number>
void check_alike(const char*, const Path&, const char*, Number, const char*, Number) {}

/// Throws: UsageError where a gradient that is there differs from its parameter in shape or device.
template <class Parameter>
void check_gradient(const char* optimizer, const Path& path, const Parameter& parameter,
                    const Parameter& gradient) {
  if (!is_absent(gradient)) {
    check_alike(optimizer, path, "gradient", gradient, "parameter", parameter);
  }
}

}  // namespace ddx::nn::detail
