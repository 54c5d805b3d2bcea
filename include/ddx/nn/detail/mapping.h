/// \file
/// What mapped and zipped do at one place of a model.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/nn/detail/parameter_arithmetic.h"
#include "ddx/nn/path.h"
#include "ddx/tensor/closeness.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include <concepts>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

namespace ddx::nn::detail {

template <class Parameter>
struct Elements {
  using Type = Parameter;
};
template <FloatingScalar Scalar>
struct Elements<Tensor<Scalar>> {
  using Type = Scalar;
};
/// The type of a parameter's elements; a number is its own element.
template <class Parameter>
using ElementOf = typename Elements<Parameter>::Type;

/// A function of tensors as one of parameters: a number becomes a tensor without axes and back.
template <class F>
auto of_tensors(F f) {
  return [f = std::move(f)]<class X>(const X& x) -> X {
    if constexpr (std::is_floating_point_v<X>) {
      return f(Tensor<X>(x)).item();
    } else {
      return f(x);
    }
  };
}

/// What was computed from symbolic zeros alone: one again where it is zero.
///
/// Throws: UsageError where it is not: the shape of such ones is not known.
template <FloatingScalar Scalar>
Tensor<Scalar> from_zeros(const char* operation, const Path& path, const Tensor<Scalar>& result) {
  if (result.rank() != 0 || result.item() != 0) {
    throw UsageError(operation, "the zero at " + to_string(path) +
                                    " is symbolic: it has no shape that a value other than 0 "
                                    "could take");
  }
  return Tensor<Scalar>();
}
template <std::floating_point Number>
Number from_zeros(const char*, const Path&, Number result) {
  return result;
}

/// Throws: UsageError where two tensors that are both there differ in shape or device.
template <class Parameter>
void check_pair(const char* operation, const Path& path, const Parameter& a, const Parameter& b) {
  if (!is_absent(a) && !is_absent(b)) {
    check_alike(operation, path, "the value", a, "counterpart", b);
  }
}

/// Whether shapes are equal and elements close; a symbolic zero is zeros of any shape.
template <FloatingScalar Scalar>
bool close(const Tensor<Scalar>& a, const Tensor<Scalar>& b, const Tolerance& tolerance) {
  return ddx::all_close(is_absent(a) ? zeros_like(b) : a, is_absent(b) ? zeros_like(a) : b,
                        tolerance);
}
template <std::floating_point Number>
bool close(Number a, Number b, const Tolerance& tolerance) {
  return ddx::all_close(Tensor<Number>(a), Tensor<Number>(b), tolerance);
}

/// The sum of the products of elements, in double.
template <FloatingScalar Scalar>
double inner_product(const Tensor<Scalar>& a, const Tensor<Scalar>& b) {
  if (is_absent(a) || is_absent(b)) {
    return 0;
  }
  const auto in_a = a.elements();
  const auto in_b = b.elements();
  double total = 0;
  for (std::size_t i = 0; i < in_a.size(); ++i) {
    total += static_cast<double>(in_a[i]) * static_cast<double>(in_b[i]);
  }
  return total;
}
template <std::floating_point Number>
double inner_product(Number a, Number b) {
  return static_cast<double>(a) * static_cast<double>(b);
}

}  // namespace ddx::nn::detail
