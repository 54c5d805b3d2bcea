/// \file
/// Operations on the bits of integers.

#pragma once

#include "ddx/tensor/detail/bare_number.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/tensor.h"

#include <concepts>
#include <source_location>
#include <type_traits>

namespace ddx {

/// An element type that is an integer.
template <class T>
concept IntegerScalar = TensorScalar<T> && std::integral<T> && !std::same_as<T, bool>;

/// The bits that both have.
///
/// Shapes:  a [...], b [...], broadcast together
/// Throws:  UsageError where they do not broadcast, or lie on different devices.
template <IntegerScalar Scalar>
[[nodiscard]] Tensor<Scalar> bitwise_and(
    const Tensor<Scalar>& a, const Tensor<Scalar>& b,
    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::binary(ops::Op::bitwise_and, a.array(), b.array(), where));
}

/// As above, with a bare number on the right.
///
/// Shapes:  a [...] -> [...]
template <IntegerScalar Scalar>
[[nodiscard]] Tensor<Scalar> bitwise_and(const Tensor<Scalar>& a, std::type_identity_t<Scalar> b) {
  return Tensor<Scalar>(detail::binary_right(ops::Op::bitwise_and, a.array(), detail::literal(b)));
}

/// The bits that at least one has.
///
/// Shapes:  a [...], b [...], broadcast together
/// Throws:  UsageError where they do not broadcast, or lie on different devices.
template <IntegerScalar Scalar>
[[nodiscard]] Tensor<Scalar> bitwise_or(
    const Tensor<Scalar>& a, const Tensor<Scalar>& b,
    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::binary(ops::Op::bitwise_or, a.array(), b.array(), where));
}

/// As above, with a bare number on the right.
///
/// Shapes:  a [...] -> [...]
template <IntegerScalar Scalar>
[[nodiscard]] Tensor<Scalar> bitwise_or(const Tensor<Scalar>& a, std::type_identity_t<Scalar> b) {
  return Tensor<Scalar>(detail::binary_right(ops::Op::bitwise_or, a.array(), detail::literal(b)));
}

/// The bits that exactly one has.
///
/// Shapes:  a [...], b [...], broadcast together
/// Throws:  UsageError where they do not broadcast, or lie on different devices.
template <IntegerScalar Scalar>
[[nodiscard]] Tensor<Scalar> bitwise_xor(
    const Tensor<Scalar>& a, const Tensor<Scalar>& b,
    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::binary(ops::Op::bitwise_xor, a.array(), b.array(), where));
}

/// As above, with a bare number on the right.
///
/// Shapes:  a [...] -> [...]
template <IntegerScalar Scalar>
[[nodiscard]] Tensor<Scalar> bitwise_xor(const Tensor<Scalar>& a, std::type_identity_t<Scalar> b) {
  return Tensor<Scalar>(detail::binary_right(ops::Op::bitwise_xor, a.array(), detail::literal(b)));
}

/// The bits that it does not have.
///
/// Shapes:  x [...] -> [...]
template <IntegerScalar Scalar>
[[nodiscard]] Tensor<Scalar> bitwise_not(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::bitwise_not, x.array()));
}

/// The bits of `a` moved to the left by `b` places; zeros follow.
///
/// Shapes:  a [...], b [...], broadcast together
/// Returns: 0 where `b` is the number of bits or more.
/// Throws:  UsageError where they do not broadcast, or lie on different devices, or an element of
///          `b` is negative.
template <IntegerScalar Scalar>
[[nodiscard]] Tensor<Scalar> left_shift(
    const Tensor<Scalar>& a, const Tensor<Scalar>& b,
    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::binary(ops::Op::left_shift, a.array(), b.array(), where));
}

/// As above, with a bare number on the right.
///
/// Shapes:  a [...] -> [...]
/// Throws:  UsageError where it is negative.
template <IntegerScalar Scalar>
[[nodiscard]] Tensor<Scalar> left_shift(const Tensor<Scalar>& a, detail::BareNumber<Scalar> b) {
  return Tensor<Scalar>(
      detail::binary_right(ops::Op::left_shift, a.array(), detail::literal<Scalar>(b)));
}

/// The bits of `a` moved to the right by `b` places; copies of the sign follow: floor(a / 2^b).
///
/// Shapes:  a [...], b [...], broadcast together
/// Returns: 0, or -1 for a negative `a`, where `b` is the number of bits or more.
/// Throws:  UsageError where they do not broadcast, or lie on different devices, or an element of
///          `b` is negative.
template <IntegerScalar Scalar>
[[nodiscard]] Tensor<Scalar> right_shift(
    const Tensor<Scalar>& a, const Tensor<Scalar>& b,
    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::binary(ops::Op::right_shift, a.array(), b.array(), where));
}

/// As above, with a bare number on the right.
///
/// Shapes:  a [...] -> [...]
/// Throws:  UsageError where it is negative.
template <IntegerScalar Scalar>
[[nodiscard]] Tensor<Scalar> right_shift(const Tensor<Scalar>& a, detail::BareNumber<Scalar> b) {
  return Tensor<Scalar>(
      detail::binary_right(ops::Op::right_shift, a.array(), detail::literal<Scalar>(b)));
}

}  // namespace ddx
