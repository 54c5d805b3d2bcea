/// \file
/// The derivative of a pullback: what represents a call of `ddx::Pullback` inside differentiated
/// code.
///
/// The function comes as a class without members that takes a cotangent of its value first, on
/// which the value does not depend; what its closure captured are arguments like the others,
/// `Positions` (a std::index_sequence) those of the ones by which the pullback is taken.
///
/// With J the Jacobian of the function f at x, a call returns J(x)^T c. It is linear in c, so the
/// pullback of the call by c is J(x) g, for a cotangent g of the result. By x it is the gradient of
/// the number c . (J(x) g), which is the pullback at c of x -> J(x) g.

#pragma once

#include "ddx/ad/detail/differentiable_positions.h"
#include "ddx/ad/detail/nested_gradient.h"
#include "ddx/ad/detail/run_differential.h"
#include "ddx/ad/detail/run_request.h"
#include "ddx/ad/vjp.h"

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ddx::detail {

/// Returns the tangents of the arguments at `Positions`: of one its tangent, of several a tuple.
template <class Positions, class F, class Cotangent, class... Args>
auto pullback_at(const F& f, const Cotangent& cotangent, const Args&... args) {
  return run_value_with_pullback<F, Cotangent, Args...>(Positions{}, f, cotangent, args...)
      .pullback(cotangent);
}

/// The pullback of such a call.
template <class Positions, class F, class Cotangent, class... Args>
class PullbackPullback {
 public:
  explicit PullbackPullback(const Cotangent& cotangent, const Args&... args)
      : at_(cotangent, args...) {}

  /// Returns the tangents of all arguments that have one: that of the cotangent first.
  template <class Seed>
  auto operator()(const Seed& seed) const {
    const auto along = direction_of_gradient<Positions>(seed);
    const auto moved = [&along](const Cotangent& cotangent, const Args&... args) {
      return run_jvp<F, Cotangent, Args...>(Positions{}, F{}, along, cotangent, args...).tangent;
    };
    return std::apply(
        [&](const Cotangent& cotangent, const Args&... args) {
          using Wrt = DifferentiablePositions<Cotangent, Args...>;
          const auto made =
              run_value_with_pullback<std::remove_const_t<decltype(moved)>, Cotangent, Args...>(
                  Wrt{}, moved, cotangent, args...);
          auto tangents = made.pullback(cotangent);
          std::get<0>(tangents) = made.value;  // `moved` does not depend on the cotangent.
          return tangents;
        },
        at_);
  }

 private:
  std::tuple<Cotangent, Args...> at_;
};

/// Returns the tangents, with the pullback of the call.
template <class Positions, class F, class Cotangent, class... Args>
auto pullback_vjp(const F& f, const Cotangent& cotangent, const Args&... args) {
  return ddx::vjp(pullback_at<Positions>(f, cotangent, args...),
                  PullbackPullback<Positions, F, Cotangent, Args...>(cotangent, args...));
}

/// Returns the tangents, and writes how they move along `direction`, of the arguments at `Moving`,
/// to `tangent`: J^T dc and the change of J^T, from one pullback of value and tangent of f.
template <class Positions, std::size_t... Moving, class F, class Tangent, class Direction,
          class Cotangent, class... Args>
auto pullback_tangent(std::index_sequence<Moving...>, const F& f, Tangent& tangent,
                      const Direction& direction, const Cotangent& cotangent, const Args&... args) {
  using Wrt = std::index_sequence<Moving...>;
  constexpr bool moves_cotangent = ((Moving == 0) || ...);
  if constexpr (moves_cotangent) {
    const auto both = [&direction](const Cotangent& own, const Args&... at) {
      const auto made = run_jvp<F, Cotangent, Args...>(Wrt{}, F{}, direction, own, at...);
      return std::tuple(made.value, made.tangent);
    };
    tangent = run_value_with_pullback<std::remove_const_t<decltype(both)>, Cotangent, Args...>(
                  Positions{}, both, cotangent, args...)
                  .pullback({direction.first, cotangent});
  } else {
    const auto moved = [&direction](const Cotangent& own, const Args&... at) {
      return run_jvp<F, Cotangent, Args...>(Wrt{}, F{}, direction, own, at...).tangent;
    };
    tangent = run_value_with_pullback<std::remove_const_t<decltype(moved)>, Cotangent, Args...>(
                  Positions{}, moved, cotangent, args...)
                  .pullback(cotangent);
  }
  return pullback_at<Positions>(f, cotangent, args...);
}

}  // namespace ddx::detail
