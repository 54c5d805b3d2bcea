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

// Tangent: c ? da : db
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(select)
auto select_jvp(const Tensor<bool>& condition, const Tensor<Scalar>& a, const Tensor<Scalar>& b,
                std::source_location where, const Tensor<Scalar>& da, const Tensor<Scalar>& db) {
  const auto y = select(condition, a, b, where);
  Tensor<Scalar> tangent;
  if (!da.is_symbolic_zero() || !db.is_symbolic_zero()) {
    tangent = broadcast_to(select(condition, da, db), y.shape());
  }
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{y, tangent};
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

namespace detail {

/// 1, 1/2 or 0: how much of the derivative of an extreme the first operand takes, which is beyond
/// the second, equal to it or neither.
template <TensorScalar Scalar>
Tensor<Scalar> share_of_first(const Tensor<bool>& beyond, const Tensor<bool>& beyond_or_equal) {
  return (cast<Scalar>(beyond) + cast<Scalar>(beyond_or_equal)) * Scalar{0.5};
}

/// The tangent of an extreme: share da + (1 - share) db.
template <FloatingScalar Scalar>
Tensor<Scalar> extreme_tangent(const Tensor<Scalar>& share, const Tensor<Scalar>& da,
                               const Tensor<Scalar>& db, const Shape& shape) {
  return sum_of_terms(da.is_symbolic_zero() ? da : cotangent_product(da, share),
                      db.is_symbolic_zero() ? db : cotangent_product(db, Scalar{1} - share), shape);
}

}  // namespace detail

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
    const auto share = detail::share_of_first<Scalar>(greater(a, b), greater_equal(a, b));
    return std::tuple(
        detail::reduced(wanted[0], detail::cotangent_product(dy, share), a.shape()),
        detail::reduced(wanted[1], detail::cotangent_product(dy, Scalar{1} - share), b.shape()));
  });
}

// Tangent: s da + (1 - s) db
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(maximum)
auto maximum_jvp(const Tensor<Scalar>& a, const Tensor<Scalar>& b, std::source_location where,
                 const Tensor<Scalar>& da, const Tensor<Scalar>& db) {
  const auto y = maximum(a, b, where);
  const auto share = detail::share_of_first<Scalar>(greater(a, b), greater_equal(a, b));
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{
      y, detail::extreme_tangent(share, da, db, y.shape())};
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
    const auto share = detail::share_of_first<Scalar>(less(a, b), less_equal(a, b));
    return std::tuple(
        detail::reduced(wanted[0], detail::cotangent_product(dy, share), a.shape()),
        detail::reduced(wanted[1], detail::cotangent_product(dy, Scalar{1} - share), b.shape()));
  });
}

// Tangent: s da + (1 - s) db
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(minimum)
auto minimum_jvp(const Tensor<Scalar>& a, const Tensor<Scalar>& b, std::source_location where,
                 const Tensor<Scalar>& da, const Tensor<Scalar>& db) {
  const auto y = minimum(a, b, where);
  const auto share = detail::share_of_first<Scalar>(less(a, b), less_equal(a, b));
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{
      y, detail::extreme_tangent(share, da, db, y.shape())};
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

namespace detail {

/// b a^(b-1), 0 where b is 0: finite where the derivative is 0, as its transpose must be.
template <FloatingScalar Scalar>
Tensor<Scalar> slope_by_base(const Tensor<Scalar>& a, const Tensor<Scalar>& b) {
  return b * pow(a, select(equal(b, Scalar{0}), Scalar{1}, b) - Scalar{1});
}

/// y log(a), 0 where a <= 0. No logarithm of another number: the derivative of that is NaN, where
/// it is 0.
template <FloatingScalar Scalar>
Tensor<Scalar> slope_by_exponent(const Tensor<Scalar>& a, const Tensor<Scalar>& y) {
  const auto positive = greater(a, Scalar{0});
  return select(positive, y * log(select(positive, a, Scalar{1})), Scalar{0});
}

}  // namespace detail

// Primal:  y = a^b
// Adjoint: adj[a] += b a^(b-1) adj[y], adj[b] += y log(a) adj[y]; 0 where b = 0 or a <= 0
// Saves:   a, b, y
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(pow)
auto pow_vjp(const Tensor<Scalar>& a, const Tensor<Scalar>& b, std::source_location where) {
  auto y = pow(a, b, where);
  return detail::tensor_vjp(y, [a, b, y](const Tensor<Scalar>& dy, Wanted<2> wanted) {
    Tensor<Scalar> to_a;
    if (wanted[0]) {
      to_a = sum_to(detail::cotangent_product(dy, detail::slope_by_base(a, b)), a.shape());
    }
    Tensor<Scalar> to_b;
    if (wanted[1]) {
      to_b = sum_to(detail::cotangent_product(dy, detail::slope_by_exponent(a, y)), b.shape());
    }
    return std::tuple(to_a, to_b);
  });
}

// Tangent: b a^(b-1) da + y log(a) db
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(pow)
auto pow_jvp(const Tensor<Scalar>& a, const Tensor<Scalar>& b, std::source_location where,
             const Tensor<Scalar>& da, const Tensor<Scalar>& db) {
  const auto y = pow(a, b, where);
  Tensor<Scalar> by_base;
  if (!da.is_symbolic_zero()) {
    by_base = detail::cotangent_product(da, detail::slope_by_base(a, b));
  }
  Tensor<Scalar> by_exponent;
  if (!db.is_symbolic_zero()) {
    by_exponent = detail::cotangent_product(db, detail::slope_by_exponent(a, y));
  }
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{
      y, detail::sum_of_terms(by_base, by_exponent, y.shape())};
}

}  // namespace ddx
