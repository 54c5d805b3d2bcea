/// \file
/// The derivative of a gradient: what represents `ddx::gradient` inside differentiated code.
///
/// The function comes as a class without members; what its closure captured are arguments like the
/// others, `Positions` (a std::index_sequence) those of the ones by which the gradient is taken.
/// Second derivatives are symmetric, so the pullback of a gradient is the gradient of a derivative
/// along the cotangent.

#pragma once

#include "ddx/ad/detail/differentiable_positions.h"
#include "ddx/ad/detail/direction.h"
#include "ddx/ad/detail/run_differential.h"
#include "ddx/ad/detail/run_request.h"
#include "ddx/ad/vjp.h"

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ddx::detail {

/// The direction along the gradient by the arguments at `Positions`: of one argument its tangent,
/// of several a tuple of theirs.
template <class Positions, class Gradient>
auto direction_of_gradient(const Gradient& gradient) {
  if constexpr (Positions::size() == 1) {
    return make_direction(gradient);
  } else {
    return std::apply([](const auto&... each) { return make_direction(each...); }, gradient);
  }
}

/// The pullback of value and gradient.
template <class Positions, class F, class... Args>
class GradientPullback {
 public:
  explicit GradientPullback(const Args&... args) : at_(args...) {}

  /// Returns the tangents of all arguments that have one. `seed` has a `value` and a `gradient`.
  template <class Seed>
  auto operator()(const Seed& seed) const {
    const auto value_weight = seed.value;
    const auto along = direction_of_gradient<Positions>(seed.gradient);
    const auto contracted = [&value_weight, &along](const Args&... args) {
      const auto both = run_jvp<F, Args...>(Positions{}, F{}, along, args...);
      return both.value * value_weight + both.tangent;
    };
    return std::apply(
        [&](const Args&... args) {
          using Wrt = DifferentiablePositions<Args...>;
          return run_value_with_gradient<std::remove_const_t<decltype(contracted)>, Args...>(
                     Wrt{}, contracted, args...)
              .gradient;
        },
        at_);
  }

 private:
  std::tuple<Args...> at_;
};

/// Returns value and gradient.
template <class Positions, class F, class... Args>
auto gradient_at(const F& f, const Args&... args) {
  return run_value_with_gradient<F, Args...>(Positions{}, f, args...);
}

/// Returns value and gradient, with the pullback of both.
template <class Positions, class F, class... Args>
auto gradient_vjp(const F& f, const Args&... args) {
  return ddx::vjp(gradient_at<Positions>(f, args...),
                  GradientPullback<Positions, F, Args...>(args...));
}

/// Returns value and gradient, and writes their tangents along `direction`, of the arguments at
/// `Moving`, to `tangent`.
template <class Positions, std::size_t... Moving, class F, class Tangent, class Direction,
          class... Args>
auto gradient_tangent(std::index_sequence<Moving...>, const F& f, Tangent& tangent,
                      const Direction& direction, const Args&... args) {
  const auto slope = [&direction](const Args&... at) {
    return run_jvp<F, Args...>(std::index_sequence<Moving...>{}, F{}, direction, at...).tangent;
  };
  const auto moved = run_value_with_gradient<std::remove_const_t<decltype(slope)>, Args...>(
      Positions{}, slope, args...);
  tangent.value = moved.value;
  tangent.gradient = moved.gradient;
  return gradient_at<Positions>(f, args...);
}

}  // namespace ddx::detail
