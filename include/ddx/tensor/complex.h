/// \file
/// Complex numbers from their parts, their parts, and their conjugates.
///
/// The gradient of a real result L by a complex z = x + iy is dL/dx + i dL/dy, as in PyTorch (JAX
/// returns its conjugate): it points where L grows fastest.

#pragma once

#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/tensor.h"

#include <complex>
#include <concepts>
#include <source_location>
#include <tuple>

namespace ddx {

/// The real parts.
///
/// Shapes:   x [...] -> [...]
/// DTypes:   c64 -> f32, c128 -> f64
/// Gradient: dy + 0i.
template <std::floating_point Part>
[[nodiscard]] Tensor<Part> real(const Tensor<std::complex<Part>>& x) {
  return Tensor<Part>(detail::part_of(x.array(), detail::Part::Real));
}

/// The imaginary parts.
///
/// Shapes:   x [...] -> [...]
/// DTypes:   c64 -> f32, c128 -> f64
/// Gradient: 0 + i dy.
template <std::floating_point Part>
[[nodiscard]] Tensor<Part> imag(const Tensor<std::complex<Part>>& x) {
  return Tensor<Part>(detail::part_of(x.array(), detail::Part::Imaginary));
}

/// The complex numbers with these parts.
///
/// Shapes:   real [...], imaginary [...], of one shape
/// DTypes:   f32 -> c64, f64 -> c128
/// Throws:   UsageError where the shapes or the devices differ.
/// Gradient: the parts of the cotangent.
template <std::floating_point Part>
[[nodiscard]] Tensor<std::complex<Part>> make_complex(
    const Tensor<Part>& real, const Tensor<Part>& imaginary,
    std::source_location where = std::source_location::current()) {
  return Tensor<std::complex<Part>>(detail::complex_of(real.array(), imaginary.array(), where));
}

// Primal:  y = Re x
// Adjoint: Re adj[x] += adj[y]
// Saves:   nothing
template <std::floating_point Part>
DDX_DERIVATIVE_OF(real)
auto real_vjp(const Tensor<std::complex<Part>>& x) {
  return detail::tensor_vjp(
      real(x), [](const Tensor<Part>& dy) { return make_complex(dy, Tensor<Part>()); });
}

// Primal:  y = Im x
// Adjoint: Im adj[x] += adj[y]
// Saves:   nothing
template <std::floating_point Part>
DDX_DERIVATIVE_OF(imag)
auto imag_vjp(const Tensor<std::complex<Part>>& x) {
  return detail::tensor_vjp(
      imag(x), [](const Tensor<Part>& dy) { return make_complex(Tensor<Part>(), dy); });
}

// Primal:  y = a + ib
// Adjoint: adj[a] += Re adj[y], adj[b] += Im adj[y]
// Saves:   nothing
template <std::floating_point Part>
DDX_DERIVATIVE_OF(make_complex)
auto make_complex_vjp(const Tensor<Part>& a, const Tensor<Part>& b, std::source_location where) {
  return detail::tensor_vjp(make_complex(a, b, where), [](const Tensor<std::complex<Part>>& dy,
                                                          Wanted<2> wanted) {
    return std::tuple(wanted[0] ? real(dy) : Tensor<Part>(), wanted[1] ? imag(dy) : Tensor<Part>());
  });
}

/// The complex conjugates.
///
/// Shapes:   x [...] -> [...]
/// Gradient: the conjugate of dy.
template <ComplexScalar Scalar>
[[nodiscard]] Tensor<Scalar> conj(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::conjugate(x.array()));
}

// Primal:  y = conj x
// Adjoint: adj[x] += conj adj[y]
// Saves:   nothing
template <ComplexScalar Scalar>
DDX_DERIVATIVE_OF(conj)
auto conj_vjp(const Tensor<Scalar>& x) {
  return detail::tensor_vjp(conj(x), [](const Tensor<Scalar>& dy) { return conj(dy); });
}

namespace detail {

/// What a cotangent is multiplied by where the primal multiplies by x: conj x, which of real
/// numbers is x.
template <TensorScalar Scalar>
Tensor<Scalar> conjugated(const Tensor<Scalar>& x) {
  if constexpr (ComplexScalar<Scalar>) {
    return conj(x);
  } else {
    return x;
  }
}

/// As above, of a bare number.
template <TensorScalar Scalar>
Scalar conjugated(Scalar x) {
  if constexpr (ComplexScalar<Scalar>) {
    return Scalar(x.real(), -x.imag());
  } else {
    return x;
  }
}

}  // namespace detail

}  // namespace ddx
