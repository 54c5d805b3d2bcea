/// \file
/// Fixed points of iterations, differentiated where they are and not through the iteration.

#pragma once

#include "ddx/ad/attributes.h"
#include "ddx/ad/detail/coordinates.h"
#include "ddx/ad/detail/implicit_failures.h"
#include "ddx/ad/detail/implicit_parameters.h"
#include "ddx/ad/detail/zeros.h"
#include "ddx/ad/differentiable.h"
#include "ddx/ad/results.h"
#include "ddx/ad/tangent.h"
#include "ddx/ad/vjp.h"
#include "ddx/ad/without_derivative.h"

#include <cmath>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx {

/// When ddx::fixed_point ends.
struct FixedPointOptions {
  /// The largest change of a number in the last iteration, relative to the largest number where
  /// that is above 1.
  double tolerance = 1e-12;
  /// The largest number of iterations, for the fixed point and for each derivative.
  std::size_t iterations = 10000;

  DDX_NO_DERIVATIVE(tolerance, iterations)
};

namespace detail {

/// What an iteration is called in errors, and when it ends.
struct FixedPointRun {
  const char* what = "the iteration";
  FixedPointOptions options;
  /// Changes are relative to the largest number where that is larger.
  double least_scale = 1;

  DDX_NO_DERIVATIVE(what, options, least_scale)
};

/// The iteration of a derivative: a tangent may be small throughout.
inline FixedPointRun run_of_derivative(const FixedPointOptions& options) {
  return {.what = "the derivative", .options = options, .least_scale = 0};
}

/// Calls `step(numbers)` until it changes `numbers` no more.
///
/// Throws: UsageError where the options end it earlier.
template <class T, class Step>
std::vector<T> iterated(const FixedPointRun& run, std::vector<T> numbers, const Step& step) {
  double change = 0, bound = 0;
  for (std::size_t iteration = 0; iteration < run.options.iterations; ++iteration) {
    const std::vector<T> next = step(numbers);
    if (next.size() != numbers.size()) {
      throw_unknown_count("fixed_point", numbers.size(), next.size());
    }
    change = 0;
    double scale = run.least_scale;
    for (std::size_t i = 0; i < next.size(); ++i) {
      const double size = std::abs(static_cast<double>(next[i]));
      const double by = std::abs(static_cast<double>(next[i] - numbers[i]));
      scale = size > scale ? size : scale;
      change = by <= change ? change : by;  // NaN stays.
    }
    numbers = next;
    bound = run.options.tolerance * scale;
    if (change <= bound) {
      return numbers;
    }
  }
  throw_no_convergence(run.what, change, bound, run.options.iterations);
}

/// Returns the fixed point.
template <class F, class S, class P>
S fixed_point_at(const S& start, const P& parameters, const FixedPointRun& run) {
  using T = CoordinateOf<S>;
  const std::vector<T> numbers =
      iterated<T>(run, numbers_of<T>(start), [&](const std::vector<T>& at) {
        return numbers_of<T>(
            ParametersTrait<F, S, P>::call(with_numbers_of(start, at), parameters));
      });
  return with_numbers_of(start, numbers);
}

/// Primal:  x = g(x, p)
/// Adjoint: dp = (dg/dp)^T w, where w = dx + (dg/dx)^T w is found by iteration
/// Saves:   what the pullbacks of g at x save.
template <class F, class S, class P>
class FixedPointPullback {
 public:
  FixedPointPullback(const S& point, const P& parameters, const FixedPointOptions& options)
      : by_point_(Trait::pullback(std::index_sequence<0>{}, point, parameters)),
        by_parameters_(Trait::pullback(typename Trait::Arguments{}, point, parameters)),
        zeros_(zeros_like(point)),
        options_(options) {}

  std::tuple<S, TangentOf<P>> operator()(const S& cotangent) const {
    using T = CoordinateOf<S>;
    S seed = cotangent;
    conform<S>(seed, zeros_);
    const std::vector<T> given = numbers_of<T>(seed);
    const std::vector<T> weights =
        iterated<T>(run_of_derivative(options_), given, [&](const std::vector<T>& at) {
          std::vector<T> next = numbers_of<T>(by_point_(with_numbers_of(zeros_, at)));
          for (std::size_t i = 0; i < next.size(); ++i) {
            next[i] += given[i];
          }
          return next;
        });
    return {zeros_, Trait::tangents(by_parameters_(with_numbers_of(zeros_, weights)))};
  }

 private:
  using Trait = ParametersTrait<F, S, P>;

  PullbackBy<std::index_sequence<0>, F, S, P> by_point_;
  PullbackBy<typename Trait::Arguments, F, S, P> by_parameters_;
  S zeros_;
  FixedPointOptions options_;
};

template <class F, class S, class P>
DDX_DERIVATIVE_OF(fixed_point_at)
auto fixed_point_vjp(const S& start, const P& parameters, const FixedPointRun& run) {
  const S point = fixed_point_at<F>(start, parameters, run);
  return ddx::vjp(point, FixedPointPullback<F, S, P>(point, parameters, run.options));
}

/// Tangent: dx = (dg/dx) dx + (dg/dp) dp, a fixed point of its own
template <class F, class S, class P>
DDX_DERIVATIVE_OF(fixed_point_at)
auto fixed_point_jvp(const S& start, const P& parameters, const FixedPointRun& run,
                     const S& /*d_start*/, const TangentOf<P>& d_parameters) {
  const S x = fixed_point_at<F>(start, parameters, run);
  const S d_x = fixed_point_at<TangentEquation<F>>(
      zeros_like(ddx::without_derivative(start)),
      std::tuple<S, P, TangentOf<P>>(x, parameters, d_parameters), run_of_derivative(run.options));
  return ValueWithTangent<S, S>{x, d_x};
}

}  // namespace detail

/// Iterates `x = step(x, parameters...)` from `start` until x changes no more, and returns x. Its
/// derivative by the parameters is that of the fixed point: nothing of the iteration is recorded.
///
/// `step` captures nothing and returns what it takes first: a number, a vector, an array, or a
/// tuple of such. `start` counts as a constant.
///
/// Throws:   UsageError where the iteration, or that of a derivative, has not converged when
///           `options` end it, and where `step` returns another number of numbers; what `step`
///           throws.
/// Gradient: with the Jacobians G_x and G_p of the step, dp = G_p^T w, where w = dx + G_x^T w.
/// Second
///           derivatives are had by reverse over forward mode, as in ddx::hvp.
/// Cost:     the calls of `step`. In derivatives, two records of one call, and one pullback for
///           each iteration of w, which converges about as fast as x does near the end.
/// Example:  ddx::fixed_point(step, ddx::FixedPointOptions{.tolerance = 1e-6}, start, a);
template <class F, class S, class... P>
[[nodiscard]] S fixed_point(const F& /*step*/, const FixedPointOptions& options, const S& start,
                            const P&... parameters) {
  if constexpr (detail::check_implicit_request<F, S, P...>()) {
    return detail::fixed_point_at<F>(ddx::without_derivative(start),
                                     std::tuple<P...>(parameters...),
                                     detail::FixedPointRun{.options = options});
  } else {
    return start;
  }
}

/// As above, with the options as they are.
///
/// Example:  double root = ddx::fixed_point(
///               [](double x, double a) { return (x + a / x) / 2; }, 1.0, a);
template <class F, class S, class... P>
  requires(!std::same_as<S, FixedPointOptions>)
[[nodiscard]] S fixed_point(const F& step, const S& start, const P&... parameters) {
  return ddx::fixed_point(step, FixedPointOptions{}, start, parameters...);
}

}  // namespace ddx
