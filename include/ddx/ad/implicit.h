/// \file
/// Solutions of equations, differentiated by the implicit function theorem.

#pragma once

#include "ddx/ad/attributes.h"
#include "ddx/ad/detail/coordinates.h"
#include "ddx/ad/detail/dense_factors.h"
#include "ddx/ad/detail/implicit_failures.h"
#include "ddx/ad/detail/implicit_parameters.h"
#include "ddx/ad/differentiable.h"
#include "ddx/ad/jacobian.h"
#include "ddx/ad/results.h"
#include "ddx/ad/tangent.h"
#include "ddx/ad/vjp.h"
#include "ddx/ad/without_derivative.h"

#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddx {

/// What ddx::implicit accepts as a solution.
struct ImplicitOptions {
  /// The largest size of a residual, as it is. With infinity, none is computed.
  double tolerance = 1e-8;

  DDX_NO_DERIVATIVE(tolerance)
};

namespace detail {

inline ImplicitOptions accept_any_solution() {
  return {.tolerance = std::numeric_limits<double>::infinity()};
}

/// Throws: UsageError where there are not as many residuals as unknowns, or one is not zero.
template <class S, class R>
void check_residual(const S& solution, const R& residual, const ImplicitOptions& options) {
  using T = CoordinateOf<S>;
  const std::vector<T> numbers = numbers_of<T>(residual);
  const std::size_t unknowns = coordinate_count(solution);
  if (numbers.size() != unknowns) {
    throw_unknown_count("implicit", unknowns, numbers.size());
  }
  for (std::size_t i = 0; i < unknowns; ++i) {
    const double size = std::abs(static_cast<double>(numbers[i]));
    if (!(size <= options.tolerance) && !std::isinf(options.tolerance)) {
      throw_residual(i, size, options.tolerance);
    }
  }
}

/// Returns the solution, after it was checked.
template <class F, class S, class P>
S implicit_at(const S& solution, const P& parameters, const ImplicitOptions& options) {
  if (!std::isinf(options.tolerance)) {
    check_residual(solution, ParametersTrait<F, S, P>::call(solution, parameters), options);
  }
  return solution;
}

/// The factors of the Jacobian of the residual by the unknowns.
template <class F, class S, class... P>
auto residual_factors(const S& solution, const std::tuple<P...>& parameters,
                      const ImplicitOptions& options) {
  using T = CoordinateOf<S>;
  const auto [residual, jacobian] = std::apply(
      [&](const P&... each) {
        return run_value_with_jacobian<F, S, P...>(std::index_sequence<0>{}, F{}, solution,
                                                   each...);
      },
      parameters);
  check_residual(solution, residual, options);
  return DenseFactors<T>(jacobian.rows,
                         std::vector<T>(jacobian.numbers.begin(), jacobian.numbers.end()));
}

/// Primal:  r(x, p) = 0
/// Adjoint: dp = -(dr/dp)^T (dr/dx)^-T dx
/// Saves:   the factors of dr/dx, and what the pullback of r by p saves.
template <class F, class S, class P>
class ImplicitPullback {
 public:
  ImplicitPullback(const S& solution, const P& parameters, const ImplicitOptions& options)
      : factors_(residual_factors<F>(solution, parameters, options)),
        by_parameters_(Trait::pullback(typename Trait::Arguments{}, solution, parameters)),
        residual_(Trait::call(solution, parameters)),
        zeros_(zeros_like(solution)) {}

  std::tuple<S, TangentOf<P>> operator()(const S& cotangent) const {
    using T = CoordinateOf<S>;
    S seed = cotangent;
    conform<S>(seed, zeros_);
    std::vector<T> multipliers = factors_.solve_transposed(numbers_of<T>(seed));
    for (T& multiplier : multipliers) {
      multiplier = -multiplier;
    }
    return {zeros_, Trait::tangents(by_parameters_(with_numbers_of(residual_, multipliers)))};
  }

 private:
  using Trait = ParametersTrait<F, S, P>;

  DenseFactors<CoordinateOf<S>> factors_;
  PullbackBy<typename Trait::Arguments, F, S, P> by_parameters_;
  typename Trait::Value residual_;  ///< The shape of its cotangent.
  S zeros_;
};

template <class F, class S, class P>
DDX_DERIVATIVE_OF(implicit_at)
auto implicit_vjp(const S& solution, const P& parameters, const ImplicitOptions& options) {
  return ddx::vjp(solution, ImplicitPullback<F, S, P>(solution, parameters, options));
}

/// Solves the linear equation of the tangent.
template <class F, class S, class P>
S implicit_tangent(const S& solution, const P& parameters, const TangentOf<P>& d_parameters,
                   const ImplicitOptions& options) {
  using T = CoordinateOf<S>;
  const auto factors = residual_factors<F>(solution, parameters, options);
  std::vector<T> slopes = factors.solve(
      numbers_of<T>(ParametersTrait<F, S, P>::tangent_along(d_parameters, solution, parameters)));
  for (T& slope : slopes) {
    slope = -slope;
  }
  return with_numbers_of(solution, slopes);
}

/// Tangent: dx = -(dr/dx)^-1 (dr/dp) dp, the solution of an implicit equation of its own
template <class F, class S, class P>
DDX_DERIVATIVE_OF(implicit_at)
auto implicit_jvp(const S& solution, const P& parameters, const ImplicitOptions& options,
                  const S& /*d_solution*/, const TangentOf<P>& d_parameters) {
  const S x = implicit_at<F>(solution, parameters, options);
  const S d_x = implicit_at<TangentEquation<F>>(
      implicit_tangent<F>(ddx::without_derivative(solution), ddx::without_derivative(parameters),
                          ddx::without_derivative(d_parameters), options),
      std::tuple<S, P, TangentOf<P>>(x, parameters, d_parameters), accept_any_solution());
  return ValueWithTangent<S, S>{x, d_x};
}

}  // namespace detail

/// Returns `solution`, at which `residual(solution, parameters...)` is zero. Its derivative by the
/// parameters is that of the implicit function, whatever found the solution.
///
/// `residual` captures nothing and returns as many numbers as the unknown has: a number, a vector,
/// an array, or a tuple of such. `solution` counts as a constant; call its solver in
/// `ddx::without_derivative(...)`, so that nothing of that is recorded and it may be code that
/// cannot be differentiated.
///
/// Throws:   UsageError where a residual is not zero within the tolerance or there are not as many
///           as unknowns, and, in derivatives, where their Jacobian is singular; what `residual`
///           throws.
/// Gradient: with the Jacobians R_x and R_p of the residual, dp = -R_p^T R_x^-T dx. Second
///           derivatives are had by reverse over forward mode, as in ddx::hvp.
/// Cost:     one call of `residual`. In derivatives, its Jacobian by n unknowns and n^3 / 3 for the
///           factors, once for all cotangents; then n^2 and a pullback of `residual` for each.
/// Example:  ddx::implicit(residual, ddx::ImplicitOptions{.tolerance = 1e-4}, x, a);
template <class F, class S, class... P>
[[nodiscard]] S implicit(const F& /*residual*/, const ImplicitOptions& options, const S& solution,
                         const P&... parameters) {
  if constexpr (detail::check_implicit_request<F, S, P...>()) {
    return detail::implicit_at<F>(ddx::without_derivative(solution),
                                  std::tuple<P...>(parameters...), options);
  } else {
    return solution;
  }
}

/// As above, with the options as they are.
///
/// Example:  double x = ddx::without_derivative(solve(a));
///           x = ddx::implicit([](double x, double a) { return x * x - a; }, x, a);
template <class F, class S, class... P>
  requires(!std::same_as<S, ImplicitOptions>)
[[nodiscard]] S implicit(const F& residual, const S& solution, const P&... parameters) {
  return ddx::implicit(residual, ImplicitOptions{}, solution, parameters...);
}

}  // namespace ddx
