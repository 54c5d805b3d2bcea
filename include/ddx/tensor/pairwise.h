/// \file
/// Quotients rounded down, remainders, and squared differences.
///
/// Two pairs divide with a rest: `floor_divide` and `remainder` round the quotient down, as `//`
/// and `%` of Python do; `/` of integers and `fmod` truncate it, as C++ does. For integers
/// `floor_divide(a, b) * b + remainder(a, b) == a` and `(a / b) * b + fmod(a, b) == a`.

#pragma once

#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/detail/bare_number.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <source_location>
#include <tuple>

namespace ddx {

/// a - b floor(a / b): what remains of `a` after `floor_divide`, with the sign of `b`, as `%` of
/// Python and `mod` of NumPy. `fmod` has the sign of `a`.
///
/// Shapes:   a [...], b [...], broadcast together
/// Returns:  NaN where a floating divisor is zero.
/// Throws:   UsageError where they do not broadcast, lie on different devices, or an integer
///           divisor is zero.
/// Gradient: dy to a, -floor(a / b) dy to b, summed over what was repeated.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> remainder(
    const Tensor<Scalar>& a, const Tensor<Scalar>& b,
    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::binary(ops::Op::remainder, a.array(), b.array(), where));
}

// Primal:  y = a - b floor(a / b)
// Adjoint: adj[a] += adj[y], adj[b] -= floor(a / b) adj[y], each summed over repetitions
// Saves:   a, b, y
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(remainder)
auto remainder_vjp(const Tensor<Scalar>& a, const Tensor<Scalar>& b, std::source_location where) {
  auto y = remainder(a, b, where);
  return detail::tensor_vjp(y, [a, b, y](const Tensor<Scalar>& dy, Wanted<2> wanted) {
    Tensor<Scalar> to_b;
    if (wanted[1]) {
      // The quotient that belongs to y: a / b itself may be rounded up to an integer.
      to_b = -sum_to(detail::cotangent_product(dy, round((a - y) / b)), b.shape());
    }
    return std::tuple(detail::reduced(wanted[0], dy, a.shape()), to_b);
  });
}

/// As above, with a bare number on the right.
///
/// Shapes:   a [...] -> [...]
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> remainder(
    const Tensor<Scalar>& a, detail::BareNumber<Scalar> b,
    std::source_location where = std::source_location::current()) {
  return remainder(a, detail::beside<Scalar>(b, a.device()), where);
}

/// As above, with a bare number on the left.
///
/// Shapes:   b [...] -> [...]
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> remainder(
    detail::BareNumber<Scalar> a, const Tensor<Scalar>& b,
    std::source_location where = std::source_location::current()) {
  return remainder(detail::beside<Scalar>(a, b.device()), b, where);
}

/// floor(a / b), the exact quotient rounded down, as `//` of Python. (`/` truncates quotients of
/// integers.)
///
/// Shapes:   a [...], b [...], broadcast together
/// Returns:  a / b where a floating divisor is zero; NaN where `a` is infinite. The smallest
///           integer divided by -1 wraps around.
/// Throws:   UsageError where they do not broadcast, lie on different devices, or an integer
///           divisor is zero.
/// Gradient: zero.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> floor_divide(
    const Tensor<Scalar>& a, const Tensor<Scalar>& b,
    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::binary(ops::Op::floor_divide, a.array(), b.array(), where));
}

// Primal:  y = floor(a / b)
// Adjoint: nothing
// Saves:   nothing
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(floor_divide)
auto floor_divide_vjp(const Tensor<Scalar>& a, const Tensor<Scalar>& b,
                      std::source_location where) {
  return detail::tensor_vjp(floor_divide(a, b, where), [](const Tensor<Scalar>&, Wanted<2>) {
    return std::tuple(Tensor<Scalar>(), Tensor<Scalar>());
  });
}

/// As above, with a bare number on the right.
///
/// Shapes:   a [...] -> [...]
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> floor_divide(
    const Tensor<Scalar>& a, detail::BareNumber<Scalar> b,
    std::source_location where = std::source_location::current()) {
  return floor_divide(a, detail::beside<Scalar>(b, a.device()), where);
}

/// As above, with a bare number on the left.
///
/// Shapes:   b [...] -> [...]
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> floor_divide(
    detail::BareNumber<Scalar> a, const Tensor<Scalar>& b,
    std::source_location where = std::source_location::current()) {
  return floor_divide(detail::beside<Scalar>(a, b.device()), b, where);
}

/// a - b trunc(a / b): what remains of `a` after a quotient that is truncated, with the sign of
/// `a`, as `%` and `fmod` of C++. Exact.
///
/// Shapes:   a [...], b [...], broadcast together
/// Returns:  NaN where a floating divisor is zero or `a` is infinite.
/// Throws:   UsageError where they do not broadcast, lie on different devices, or an integer
///           divisor is zero.
/// Gradient: dy to a, -trunc(a / b) dy to b, summed over what was repeated.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> fmod(const Tensor<Scalar>& a, const Tensor<Scalar>& b,
                                  std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::binary(ops::Op::fmod, a.array(), b.array(), where));
}

// Primal:  y = a - b trunc(a / b)
// Adjoint: adj[a] += adj[y], adj[b] -= trunc(a / b) adj[y], each summed over repetitions
// Saves:   a, b, y
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(fmod)
auto fmod_vjp(const Tensor<Scalar>& a, const Tensor<Scalar>& b, std::source_location where) {
  auto y = fmod(a, b, where);
  return detail::tensor_vjp(y, [a, b, y](const Tensor<Scalar>& dy, Wanted<2> wanted) {
    Tensor<Scalar> to_b;
    if (wanted[1]) {
      // The quotient that belongs to y: a / b itself may be rounded to an integer.
      to_b = -sum_to(detail::cotangent_product(dy, round((a - y) / b)), b.shape());
    }
    return std::tuple(detail::reduced(wanted[0], dy, a.shape()), to_b);
  });
}

/// As above, with a bare number on the right.
///
/// Shapes:   a [...] -> [...]
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> fmod(const Tensor<Scalar>& a, detail::BareNumber<Scalar> b,
                                  std::source_location where = std::source_location::current()) {
  return fmod(a, detail::beside<Scalar>(b, a.device()), where);
}

/// As above, with a bare number on the left.
///
/// Shapes:   b [...] -> [...]
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> fmod(detail::BareNumber<Scalar> a, const Tensor<Scalar>& b,
                                  std::source_location where = std::source_location::current()) {
  return fmod(detail::beside<Scalar>(a, b.device()), b, where);
}

/// (a - b)^2.
///
/// Shapes:   a [...], b [...], broadcast together
/// Throws:   UsageError where they do not broadcast, or lie on different devices.
/// Gradient: 2 (a - b) dy to a and its negative to b, summed over what was repeated.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> squared_difference(
    const Tensor<Scalar>& a, const Tensor<Scalar>& b,
    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::binary(ops::Op::squared_difference, a.array(), b.array(), where));
}

// Primal:  y = (a - b)^2
// Adjoint: adj[a] += 2 (a - b) adj[y], adj[b] -= 2 (a - b) adj[y], each summed over repetitions
// Saves:   a, b
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(squared_difference)
auto squared_difference_vjp(const Tensor<Scalar>& a, const Tensor<Scalar>& b,
                            std::source_location where) {
  return detail::tensor_vjp(
      squared_difference(a, b, where), [a, b](const Tensor<Scalar>& dy, Wanted<2> wanted) {
        const auto slope = detail::cotangent_product(dy, a - b) * Scalar{2};
        return std::tuple(detail::reduced(wanted[0], slope, a.shape()),
                          wanted[1] ? -sum_to(slope, b.shape()) : Tensor<Scalar>());
      });
}

/// As above, with a bare number on the right.
///
/// Shapes:   a [...] -> [...]
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> squared_difference(const Tensor<Scalar>& a,
                                                detail::BareNumber<Scalar> b) {
  return squared_difference(a, detail::beside<Scalar>(b, a.device()));
}

}  // namespace ddx
