/// \file
/// Powers with bare numbers, and roots.

#pragma once

#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/tensor.h"

#include <concepts>
#include <cstdint>
#include <source_location>
#include <type_traits>

namespace ddx {

/// a to the power of a bare number. Gradients as of two tensors.
///
/// Shapes:   a [...] -> [...]
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> pow(const Tensor<Scalar>& a, std::type_identity_t<Scalar> b) {
  return pow(a, detail::beside<Scalar>(b, a.device()));
}

/// A bare number to the power of b. Gradients as of two tensors.
///
/// Shapes:   b [...] -> [...]
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> pow(std::type_identity_t<Scalar> a, const Tensor<Scalar>& b) {
  return pow(detail::beside<Scalar>(a, b.device()), b);
}

/// x to the power of an integer; 1 where that is 0. Floating elements take the exponent rounded to
/// their type; integers wrap around.
///
/// Shapes:   x [...] -> [...]
/// Throws:   UsageError where the exponent of integers is negative.
/// Gradient: dy n x^(n-1).
template <TensorScalar Scalar, std::integral Exponent>
[[nodiscard]] Tensor<Scalar> pow(const Tensor<Scalar>& x, Exponent n,
                                 std::source_location where = std::source_location::current()) {
  if constexpr (FloatingScalar<Scalar>) {
    if (n == 2) {
      return square(x);
    }
    return pow(x, detail::beside<Scalar>(static_cast<Scalar>(n), x.device()), where);
  } else {
    return Tensor<Scalar>(detail::integer_power(x.array(), static_cast<std::int64_t>(n), where));
  }
}

namespace detail {

/// The n-th root for odd n, with the sign of x.
template <FloatingScalar Scalar>
Tensor<Scalar> odd_root(const Tensor<Scalar>& x, std::int64_t n) {
  return sign(x) * pow(abs(x), Scalar{1} / static_cast<Scalar>(n));
}

// Primal:  y = x^(1/n)
// Adjoint: adj[x] += |x|^(1/n - 1) / n adj[y]
// Saves:   x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(odd_root)
auto odd_root_vjp(const Tensor<Scalar>& x, std::int64_t n) {
  return tensor_vjp(odd_root(x, n), [x, n](const Tensor<Scalar>& dy) {
    const Scalar power = Scalar{1} / static_cast<Scalar>(n);
    return cotangent_product(dy, pow(abs(x), power - Scalar{1})) * power;
  });
}

}  // namespace detail

/// The n-th root: of a negative number that with its sign for odd n, NaN for even n.
///
/// Shapes:   x [...] -> [...]
/// Throws:   UsageError where n is not positive.
/// Gradient: dy |x|^(1/n - 1) / n, infinite at 0 for n > 1.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> root(const Tensor<Scalar>& x, std::int64_t n,
                                  std::source_location where = std::source_location::current()) {
  detail::check_root(n, where);
  if (n == 1) {
    return x;
  }
  if (n == 2) {
    return sqrt(x);
  }
  if (n % 2 == 1) {
    return detail::odd_root(x, n);
  }
  return pow(x, Scalar{1} / static_cast<Scalar>(n));
}

}  // namespace ddx
