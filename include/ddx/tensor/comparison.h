/// \file
/// Functions of two or three operands, element by element: comparison, logic, choice, extremes,
/// powers.

#pragma once

#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/detail/bare_number.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/tensor.h"

#include <source_location>
#include <tuple>

namespace ddx {

/// Whether a == b, element by element.
///
/// Shapes:  a [...], b [...], broadcast together
/// Throws:  UsageError where they do not broadcast, or lie on different devices.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<bool> equal(const Tensor<Scalar>& a, const Tensor<Scalar>& b,
                                 std::source_location where = std::source_location::current()) {
  return Tensor<bool>(detail::binary(ops::Op::equal, a.array(), b.array(), where));
}

/// Whether a == b, element by element.
///
/// Shapes:  a [...] -> [...]
template <TensorScalar Scalar>
[[nodiscard]] Tensor<bool> equal(const Tensor<Scalar>& a, detail::BareNumber<Scalar> b) {
  return Tensor<bool>(detail::binary_right(ops::Op::equal, a.array(), detail::literal<Scalar>(b)));
}

/// As above, with the number on the left.
///
/// Shapes:  b [...] -> [...]
template <TensorScalar Scalar>
[[nodiscard]] Tensor<bool> equal(detail::BareNumber<Scalar> a, const Tensor<Scalar>& b) {
  return Tensor<bool>(detail::binary_left(ops::Op::equal, detail::literal<Scalar>(a), b.array()));
}

/// Whether a != b, element by element.
///
/// Shapes:  a [...], b [...], broadcast together
/// Throws:  UsageError where they do not broadcast, or lie on different devices.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<bool> not_equal(const Tensor<Scalar>& a, const Tensor<Scalar>& b,
                                     std::source_location where = std::source_location::current()) {
  return Tensor<bool>(detail::binary(ops::Op::not_equal, a.array(), b.array(), where));
}

/// Whether a != b, element by element.
///
/// Shapes:  a [...] -> [...]
template <TensorScalar Scalar>
[[nodiscard]] Tensor<bool> not_equal(const Tensor<Scalar>& a, detail::BareNumber<Scalar> b) {
  return Tensor<bool>(
      detail::binary_right(ops::Op::not_equal, a.array(), detail::literal<Scalar>(b)));
}

/// As above, with the number on the left.
///
/// Shapes:  b [...] -> [...]
template <TensorScalar Scalar>
[[nodiscard]] Tensor<bool> not_equal(detail::BareNumber<Scalar> a, const Tensor<Scalar>& b) {
  return Tensor<bool>(
      detail::binary_left(ops::Op::not_equal, detail::literal<Scalar>(a), b.array()));
}

/// Whether a < b, element by element.
///
/// Shapes:  a [...], b [...], broadcast together
/// Throws:  UsageError where they do not broadcast, or lie on different devices.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<bool> less(const Tensor<Scalar>& a, const Tensor<Scalar>& b,
                                std::source_location where = std::source_location::current()) {
  return Tensor<bool>(detail::binary(ops::Op::less, a.array(), b.array(), where));
}

/// Whether a < b, element by element.
///
/// Shapes:  a [...] -> [...]
template <TensorScalar Scalar>
[[nodiscard]] Tensor<bool> less(const Tensor<Scalar>& a, detail::BareNumber<Scalar> b) {
  return Tensor<bool>(detail::binary_right(ops::Op::less, a.array(), detail::literal<Scalar>(b)));
}

/// As above, with the number on the left.
///
/// Shapes:  b [...] -> [...]
template <TensorScalar Scalar>
[[nodiscard]] Tensor<bool> less(detail::BareNumber<Scalar> a, const Tensor<Scalar>& b) {
  return Tensor<bool>(detail::binary_left(ops::Op::less, detail::literal<Scalar>(a), b.array()));
}

/// Whether a <= b, element by element.
///
/// Shapes:  a [...], b [...], broadcast together
/// Throws:  UsageError where they do not broadcast, or lie on different devices.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<bool> less_equal(
    const Tensor<Scalar>& a, const Tensor<Scalar>& b,
    std::source_location where = std::source_location::current()) {
  return Tensor<bool>(detail::binary(ops::Op::less_equal, a.array(), b.array(), where));
}

/// Whether a <= b, element by element.
///
/// Shapes:  a [...] -> [...]
template <TensorScalar Scalar>
[[nodiscard]] Tensor<bool> less_equal(const Tensor<Scalar>& a, detail::BareNumber<Scalar> b) {
  return Tensor<bool>(
      detail::binary_right(ops::Op::less_equal, a.array(), detail::literal<Scalar>(b)));
}

/// As above, with the number on the left.
///
/// Shapes:  b [...] -> [...]
template <TensorScalar Scalar>
[[nodiscard]] Tensor<bool> less_equal(detail::BareNumber<Scalar> a, const Tensor<Scalar>& b) {
  return Tensor<bool>(
      detail::binary_left(ops::Op::less_equal, detail::literal<Scalar>(a), b.array()));
}

/// Whether a > b, element by element.
///
/// Shapes:  a [...], b [...], broadcast together
/// Throws:  UsageError where they do not broadcast, or lie on different devices.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<bool> greater(const Tensor<Scalar>& a, const Tensor<Scalar>& b,
                                   std::source_location where = std::source_location::current()) {
  return Tensor<bool>(detail::binary(ops::Op::greater, a.array(), b.array(), where));
}

/// Whether a > b, element by element.
///
/// Shapes:  a [...] -> [...]
template <TensorScalar Scalar>
[[nodiscard]] Tensor<bool> greater(const Tensor<Scalar>& a, detail::BareNumber<Scalar> b) {
  return Tensor<bool>(
      detail::binary_right(ops::Op::greater, a.array(), detail::literal<Scalar>(b)));
}

/// As above, with the number on the left.
///
/// Shapes:  b [...] -> [...]
template <TensorScalar Scalar>
[[nodiscard]] Tensor<bool> greater(detail::BareNumber<Scalar> a, const Tensor<Scalar>& b) {
  return Tensor<bool>(detail::binary_left(ops::Op::greater, detail::literal<Scalar>(a), b.array()));
}

/// Whether a >= b, element by element.
///
/// Shapes:  a [...], b [...], broadcast together
/// Throws:  UsageError where they do not broadcast, or lie on different devices.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<bool> greater_equal(
    const Tensor<Scalar>& a, const Tensor<Scalar>& b,
    std::source_location where = std::source_location::current()) {
  return Tensor<bool>(detail::binary(ops::Op::greater_equal, a.array(), b.array(), where));
}

/// Whether a >= b, element by element.
///
/// Shapes:  a [...] -> [...]
template <TensorScalar Scalar>
[[nodiscard]] Tensor<bool> greater_equal(const Tensor<Scalar>& a, detail::BareNumber<Scalar> b) {
  return Tensor<bool>(
      detail::binary_right(ops::Op::greater_equal, a.array(), detail::literal<Scalar>(b)));
}

/// As above, with the number on the left.
///
/// Shapes:  b [...] -> [...]
template <TensorScalar Scalar>
[[nodiscard]] Tensor<bool> greater_equal(detail::BareNumber<Scalar> a, const Tensor<Scalar>& b) {
  return Tensor<bool>(
      detail::binary_left(ops::Op::greater_equal, detail::literal<Scalar>(a), b.array()));
}

/// Whether both are true, element by element.
///
/// Shapes:  a [...], b [...], broadcast together
/// Throws:  UsageError where they do not broadcast, or lie on different devices.
[[nodiscard]] inline Tensor<bool> logical_and(
    const Tensor<bool>& a, const Tensor<bool>& b,
    std::source_location where = std::source_location::current()) {
  return Tensor<bool>(detail::binary(ops::Op::logical_and, a.array(), b.array(), where));
}

/// Whether at least one is true, element by element.
///
/// Shapes:  a [...], b [...], broadcast together
/// Throws:  UsageError where they do not broadcast, or lie on different devices.
[[nodiscard]] inline Tensor<bool> logical_or(
    const Tensor<bool>& a, const Tensor<bool>& b,
    std::source_location where = std::source_location::current()) {
  return Tensor<bool>(detail::binary(ops::Op::logical_or, a.array(), b.array(), where));
}

/// Whether it is false, element by element.
///
/// Shapes:  a [...] -> [...]
[[nodiscard]] inline Tensor<bool> logical_not(const Tensor<bool>& a) {
  return Tensor<bool>(detail::unary(ops::Op::logical_not, a.array()));
}

/// `a` where the condition holds, else `b`.
///
/// Shapes:   condition [...], a [...], b [...], broadcast together
/// Throws:   UsageError where they do not broadcast, or lie on different devices.
/// Gradient: dy to the operand that was taken, summed over what was repeated.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> select(const Tensor<bool>& condition, const Tensor<Scalar>& a,
                                    const Tensor<Scalar>& b,
                                    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::select(condition.array(), a.array(), b.array(), where));
}

// Primal:  y = c ? a : b
// Adjoint: adj[a] += c ? adj[y] : 0, adj[b] += c ? 0 : adj[y], each summed over repetitions
// Saves:   c
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(select)
auto select_vjp(const Tensor<bool>& condition, const Tensor<Scalar>& a, const Tensor<Scalar>& b,
                std::source_location where) {
  return detail::tensor_vjp(
      select(condition, a, b, where), [condition, shape_a = a.shape(), shape_b = b.shape()](
                                          const Tensor<Scalar>& dy, Wanted<2> wanted) {
        const Tensor<Scalar> zero;
        return std::tuple(wanted[0] ? sum_to(select(condition, dy, zero), shape_a) : zero,
                          wanted[1] ? sum_to(select(condition, zero, dy), shape_b) : zero);
      });
}

/// As above, with a bare number for `b`.
///
/// Shapes:   condition [...], a [...], broadcast together
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> select(const Tensor<bool>& condition, const Tensor<Scalar>& a,
                                    detail::BareNumber<Scalar> b,
                                    std::source_location where = std::source_location::current()) {
  return select(condition, a, detail::beside<Scalar>(b, a.device()), where);
}

/// As above, with a bare number for `a`.
///
/// Shapes:   condition [...], b [...], broadcast together
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> select(const Tensor<bool>& condition, detail::BareNumber<Scalar> a,
                                    const Tensor<Scalar>& b,
                                    std::source_location where = std::source_location::current()) {
  return select(condition, detail::beside<Scalar>(a, b.device()), b, where);
}

/// One of two bare numbers: `select(greater(x, 0), 1.0F, -1.0F)`.
///
/// Shapes:   condition [...] -> [...]
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> select(const Tensor<bool>& condition, Scalar a, Scalar b) {
  const Device device = condition.device();
  return select(condition, detail::beside(a, device), detail::beside(b, device));
}

/// The larger of two elements.
///
/// Shapes:   a [...], b [...], broadcast together
/// Throws:   UsageError where they do not broadcast, or lie on different devices.
/// Gradient: dy to the larger one, half of it to each where they are equal, summed over what was
///           repeated.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> maximum(const Tensor<Scalar>& a, const Tensor<Scalar>& b,
                                     std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::binary(ops::Op::maximum, a.array(), b.array(), where));
}

// Primal:  y = maximum(a, b)
// Adjoint: adj[a] += s adj[y], adj[b] += (1 - s) adj[y]; s is 1, 1/2 or 0 as a is larger, equal or
//          not
// Saves:   a, b
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(maximum)
auto maximum_vjp(const Tensor<Scalar>& a, const Tensor<Scalar>& b, std::source_location where) {
  return detail::tensor_vjp(maximum(a, b, where), [a, b](const Tensor<Scalar>& dy,
                                                         Wanted<2> wanted) {
    const auto share =
        (cast<Scalar>(greater(a, b)) + cast<Scalar>(greater_equal(a, b))) * Scalar{0.5};
    return std::tuple(
        detail::reduced(wanted[0], detail::cotangent_product(dy, share), a.shape()),
        detail::reduced(wanted[1], detail::cotangent_product(dy, Scalar{1} - share), b.shape()));
  });
}

/// The smaller of two elements.
///
/// Shapes:   a [...], b [...], broadcast together
/// Throws:   UsageError where they do not broadcast, or lie on different devices.
/// Gradient: dy to the smaller one, half of it to each where they are equal, summed over what was
///           repeated.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> minimum(const Tensor<Scalar>& a, const Tensor<Scalar>& b,
                                     std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::binary(ops::Op::minimum, a.array(), b.array(), where));
}

// Primal:  y = minimum(a, b)
// Adjoint: adj[a] += s adj[y], adj[b] += (1 - s) adj[y]; s is 1, 1/2 or 0 as a is smaller, equal or
//          not
// Saves:   a, b
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(minimum)
auto minimum_vjp(const Tensor<Scalar>& a, const Tensor<Scalar>& b, std::source_location where) {
  return detail::tensor_vjp(minimum(a, b, where), [a, b](const Tensor<Scalar>& dy,
                                                         Wanted<2> wanted) {
    const auto share = (cast<Scalar>(less(a, b)) + cast<Scalar>(less_equal(a, b))) * Scalar{0.5};
    return std::tuple(
        detail::reduced(wanted[0], detail::cotangent_product(dy, share), a.shape()),
        detail::reduced(wanted[1], detail::cotangent_product(dy, Scalar{1} - share), b.shape()));
  });
}

/// a to the power of b.
///
/// Shapes:   a [...], b [...], broadcast together
/// Throws:   UsageError where they do not broadcast, or lie on different devices.
/// Gradient: dy b a^(b-1) to a, 0 where b is 0; dy y log(a) to b, 0 where a <= 0; summed over what
///           was repeated.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> pow(const Tensor<Scalar>& a, const Tensor<Scalar>& b,
                                 std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::binary(ops::Op::pow, a.array(), b.array(), where));
}

// Primal:  y = a^b
// Adjoint: adj[a] += b a^(b-1) adj[y], adj[b] += y log(a) adj[y]; 0 where b = 0 or a <= 0
// Saves:   a, b, y
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(pow)
auto pow_vjp(const Tensor<Scalar>& a, const Tensor<Scalar>& b, std::source_location where) {
  auto y = pow(a, b, where);
  return detail::tensor_vjp(y, [a, b, y](const Tensor<Scalar>& dy, Wanted<2> wanted) {
    // The factors of dy are finite where the derivative is 0: also its transpose must be.
    Tensor<Scalar> to_a;
    if (wanted[0]) {
      const auto exponent = select(equal(b, Scalar{0}), Scalar{1}, b) - Scalar{1};
      to_a = sum_to(detail::cotangent_product(dy, b * pow(a, exponent)), a.shape());
    }
    Tensor<Scalar> to_b;
    if (wanted[1]) {
      const auto positive = greater(a, Scalar{0});
      // No logarithm of another number: the derivative of that is NaN, where it is 0.
      const auto slope = select(positive, y * log(select(positive, a, Scalar{1})), Scalar{0});
      to_b = sum_to(detail::cotangent_product(dy, slope), b.shape());
    }
    return std::tuple(to_a, to_b);
  });
}

}  // namespace ddx
