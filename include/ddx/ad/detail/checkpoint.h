/// \file
/// The pullback of a call that is run again on the way back.

#pragma once

#include "ddx/ad/detail/differentiable_positions.h"
#include "ddx/ad/detail/run_request.h"
#include "ddx/ad/vjp.h"

#include <tuple>
#include <utility>

namespace ddx::detail {

/// Keeps the arguments alone. The function is a class without members; what its closure captured
/// are arguments like the others.
template <class F, class... Args>
class CheckpointPullback {
 public:
  explicit CheckpointPullback(const Args&... args) : at_(args...) {}

  /// Runs the function again, and returns the tangents of all arguments that have one.
  template <class Seed>
  auto operator()(const Seed& seed) const {
    return std::apply(
        [&](const Args&... args) {
          return run_value_with_pullback<F, Args...>(DifferentiablePositions<Args...>{}, F{},
                                                     args...)
              .pullback(seed);
        },
        at_);
  }

 private:
  std::tuple<Args...> at_;
};

/// Returns the value of `f`.
template <class F, class... Args>
auto checkpoint_at(const F& f, const Args&... args) {
  return f(args...);
}

/// Returns the value of `f` with that pullback.
template <class F, class... Args>
auto checkpoint_vjp(const F& f, const Args&... args) {
  return ddx::vjp(f(args...), CheckpointPullback<F, Args...>(args...));
}

}  // namespace ddx::detail
