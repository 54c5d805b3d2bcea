/// \file
/// Complex numbers by length and angle.

#pragma once

#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/complex.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/trigonometry.h"

#include <complex>
#include <concepts>
#include <source_location>
#include <tuple>

namespace ddx {

/// sqrt(a^2 + b^2), without overflow on the way.
///
/// Shapes:   a [...], b [...], broadcast together
/// Throws:   UsageError where they do not broadcast, or lie on different devices.
/// Gradient: dy a / y to a and dy b / y to b, 0 where y is 0; summed over what was repeated.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> hypot(const Tensor<Scalar>& a, const Tensor<Scalar>& b,
                                   std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::binary(ops::Op::hypot, a.array(), b.array(), where));
}

// Primal:  y = sqrt(a^2 + b^2)
// Adjoint: adj[a] += a / y adj[y], adj[b] += b / y adj[y], nothing where y = 0
// Saves:   a, b, y
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(hypot)
auto hypot_vjp(const Tensor<Scalar>& a, const Tensor<Scalar>& b, std::source_location where) {
  auto y = hypot(a, b, where);
  return detail::tensor_vjp(y, [a, b, y](const Tensor<Scalar>& dy, Wanted<2> wanted) {
    const auto share = detail::cotangent_quotient(dy, select(equal(y, Scalar{0}), Scalar{1}, y));
    return std::tuple(
        wanted[0] ? sum_to(detail::cotangent_product(share, a), a.shape()) : Tensor<Scalar>(),
        wanted[1] ? sum_to(detail::cotangent_product(share, b), b.shape()) : Tensor<Scalar>());
  });
}

/// The lengths of complex numbers.
///
/// Shapes:   x [...] -> [...]
/// DTypes:   c64 -> f32, c128 -> f64
/// Gradient: dy x / |x|, which is 0 at 0.
template <ComplexScalar Scalar>
[[nodiscard]] Tensor<typename Scalar::value_type> abs(const Tensor<Scalar>& x) {
  return hypot(real(x), imag(x));
}

/// The angles of complex numbers, in [-pi, pi]; that of 0 is 0.
///
/// Shapes:   x [...] -> [...]
/// DTypes:   c64 -> f32, c128 -> f64
/// Units:    radians
/// Gradient: dy i x / |x|^2; NaN at 0.
template <ComplexScalar Scalar>
[[nodiscard]] Tensor<typename Scalar::value_type> angle(const Tensor<Scalar>& x) {
  return atan2(imag(x), real(x));
}

/// The complex numbers with these lengths and angles.
///
/// Shapes:   length [...], angle [...], of one shape
/// DTypes:   f32 -> c64, f64 -> c128
/// Units:    angle in radians
/// Throws:   UsageError where the shapes or the devices differ.
/// Gradient: Re(conj(e^(i angle)) dy) to the length, length Im(conj(e^(i angle)) dy) to the angle.
template <std::floating_point Part>
[[nodiscard]] Tensor<std::complex<Part>> polar(
    const Tensor<Part>& length, const Tensor<Part>& angle,
    std::source_location where = std::source_location::current()) {
  return make_complex(length * cos(angle), length * sin(angle), where);
}

}  // namespace ddx
