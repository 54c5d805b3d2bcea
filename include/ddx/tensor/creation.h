/// \file
/// Tensors made from nothing.

#pragma once

#include "ddx/tensor/detail/bare_number.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/tensor.h"

#include <concepts>
#include <cstdint>
#include <source_location>
#include <type_traits>

namespace ddx {

/// Every element is `value`.
///
/// Gradient: the sum of the cotangent's elements.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> full(const Shape& shape, Scalar value, Device device = {}) {
  return Tensor<Scalar>(detail::full(shape, detail::literal(value), dtype_of<Scalar>, device));
}

// Primal:  y_i = v
// Adjoint: adj[v] += sum_i adj[y_i]
// Saves:   nothing
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(full)
auto full_vjp(const Shape& shape, Scalar value, Device device) {
  return detail::tensor_vjp(full(shape, value, device),
                            [](const Tensor<Scalar>& dy) { return detail::sum_all(dy); });
}

/// As above, where the number has another type than the elements: `full<std::uint8_t>({2}, 255)`.
/// A number with a fraction does not compile.
///
/// Throws:  UsageError where the element type has no such value.
template <DiscreteScalar Scalar, class Number>
  requires(!std::same_as<Number, Scalar> && std::constructible_from<double, Number>)
[[nodiscard]] Tensor<Scalar> full(const Shape& shape, Number value, Device device = {},
                                  std::source_location where = std::source_location::current()) {
  const Scalar element = detail::WholeNumber<Scalar>(value, where);
  return full<Scalar>(shape, element, device);
}

namespace detail {

/// A bare number as an operand beside tensors of a device: rank 0.
template <TensorScalar Scalar>
Tensor<Scalar> beside(Scalar value, Device device) {
  return full<Scalar>({}, value, device);
}

}  // namespace detail

/// Every element is 0.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> zeros(const Shape& shape, Device device = {}) {
  return full(shape, Scalar{0}, device);
}

/// Every element is 1.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> ones(const Shape& shape, Device device = {}) {
  return full(shape, Scalar{1}, device);
}

/// Zeros with the shape and device of `x`; a symbolic zero stays one. No gradient flows to `x`.
///
/// Shapes:  x [...] -> [...]
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> zeros_like(const Tensor<Scalar>& x) {
  return x.is_symbolic_zero() ? Tensor<Scalar>() : zeros<Scalar>(x.shape(), x.device());
}

/// Ones with the shape and device of `x`. No gradient flows to `x`.
///
/// Shapes:  x [...] -> [...]
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> ones_like(const Tensor<Scalar>& x) {
  return ones<Scalar>(x.shape(), x.device());
}

namespace detail {

/// As `iota`, where integers past the largest one wrap around.
template <TensorScalar Scalar>
Tensor<Scalar> wrapping_iota(std::int64_t count, Device device, std::source_location where) {
  static_assert(!std::is_same_v<Scalar, bool>, "iota counts: its element type is a number");
  return Tensor<Scalar>(detail::wrapping_iota(count, dtype_of<Scalar>, device, where));
}

}  // namespace detail

/// The numbers 0, 1, ... count - 1.
///
/// Throws:  UsageError where `count` is negative, or count - 1 is above the largest integer of the
///          element type.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> iota(std::int64_t count, Device device = {},
                                  std::source_location where = std::source_location::current()) {
  static_assert(!std::is_same_v<Scalar, bool>, "iota counts: its element type is a number");
  return Tensor<Scalar>(detail::iota(count, dtype_of<Scalar>, device, where));
}

}  // namespace ddx
