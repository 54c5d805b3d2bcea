/// \file
/// Random numbers from gamma and beta distributions, with gradients by their parameters. Equal keys
/// give equal numbers on every device.

#pragma once

#include "ddx/ad/attributes.h"
#include "ddx/ad/vjp.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/detail/random_gamma_numbers.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/tensor.h"

#include <source_location>
#include <tuple>

namespace ddx {

/// For each concentration a, a number from the gamma distribution x^(a-1) e^-x / gamma(a).
///
/// Shapes:   concentration [...] -> [...]
/// Throws:   UsageError where a concentration is not a finite number above 0.
/// Gradient: implicit: dx/da = -(dF/da) / (dF/dx) with the distribution function F.
/// Cost:     the gradient needs about x - a + 10 sqrt(a) + 20 terms of a series.
/// Source:   G. Marsaglia, W. Tsang, "A simple method for generating gamma variables", 2000.
///           M. Figurnov, S. Mohamed, A. Mnih, "Implicit reparameterization gradients", 2018.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> random_gamma(
    RandomKey key, const Tensor<Scalar>& concentration,
    std::source_location where = std::source_location::current()) {
  return detail::GammaNumbers<Scalar>(key, concentration, where).values();
}

// Primal:  x ~ gamma(a)
// Adjoint: adj[a] += -(dF/da) / (dF/dx) adj[x]
// Saves:   x, log x, a
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(random_gamma)
auto random_gamma_vjp(RandomKey key, const Tensor<Scalar>& concentration,
                      std::source_location where) {
  const detail::GammaNumbers<Scalar> numbers(key, concentration, where);
  auto values = numbers.values();
  return detail::tensor_vjp(values, [values, numbers](const Tensor<Scalar>& dy) {
    return dy * values * numbers.log_slopes();
  });
}

/// For each pair of parameters a and b, a number in [0, 1] from the beta distribution x^(a-1)
/// (1-x)^(b-1) / B(a, b): x / (x + y) of gamma variables x and y.
///
/// Shapes:   a [...], b [...], equal -> [...]
/// Throws:   UsageError where the shapes differ, or a parameter is not a finite number above 0.
/// Gradient: that of x / (x + y), by the gradients of the gamma variables.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> random_beta(
    RandomKey key, const Tensor<Scalar>& a, const Tensor<Scalar>& b,
    std::source_location where = std::source_location::current()) {
  return detail::BetaNumbers<Scalar>(key, a, b, where).values();
}

// Primal:  z = x / (x + y), x ~ gamma(a), y ~ gamma(b)
// Adjoint: adj[a] += z (1 - z) dlog x/da adj[z], adj[b] -= z (1 - z) dlog y/db adj[z]
// Saves:   log x, log y, a, b
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(random_beta)
auto random_beta_vjp(RandomKey key, const Tensor<Scalar>& a, const Tensor<Scalar>& b,
                     std::source_location where) {
  const detail::BetaNumbers<Scalar> numbers(key, a, b, where);
  return detail::tensor_vjp(
      numbers.values(), [numbers](const Tensor<Scalar>& dy, Wanted<2> wanted) {
        const auto flow = dy * numbers.slopes();
        return std::tuple(wanted[0] ? flow * numbers.first_log_slopes() : Tensor<Scalar>(),
                          wanted[1] ? -(flow * numbers.second_log_slopes()) : Tensor<Scalar>());
      });
}

}  // namespace ddx
