/// \file
/// The derivatives of ddx::cond. The function is a class without members: its first argument is the
/// condition, then come what the closures of the branches captured, and their arguments.

#pragma once

#include "ddx/ad/detail/differentiable_positions.h"
#include "ddx/ad/detail/entry.h"
#include "ddx/ad/detail/owned.h"
#include "ddx/ad/detail/pullback_state.h"
#include "ddx/ad/detail/run_differential.h"
#include "ddx/ad/detail/zeros.h"
#include "ddx/ad/tangent.h"
#include "ddx/ad/vjp.h"
#include "ddx/tensor/detail/control_tangents.h"
#include "ddx/tensor/detail/control_values.h"
#include "ddx/tensor/detail/run_cond.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <memory>
#include <tuple>
#include <utility>

namespace ddx::detail {

/// The pullback.
template <class F, class... Args>
class CondPullback {
  using All = std::tuple<Args...>;
  using Positions = DifferentiablePositions<Args...>;
  using Tangents = TangentsOf<Positions, Args...>;
  using Value = ValueOf<F, Args...>;

 public:
  explicit CondPullback(const Args&... args) : at_(args...) {}

  /// Runs the branch that is chosen.
  Value run() {
    const Tensor<bool>& condition = std::get<0>(at_);
    if (!is_recorded(condition)) {
      step_ = entry(at_);
      return step_->value.value();
    }
    return run_cond<Value>(condition, [&](bool pick) { return std::apply(F{}, choosing(pick)); });
  }

  /// Returns the tangents of all arguments that have one.
  Tangents operator()(const TangentOf<Value>& seed) const {
    if (step_) {
      return back(*step_, seed);
    }
    Tangents tangents = run_cond<Tangents>(std::get<0>(at_), [&](bool pick) {
      const All chosen = choosing(pick);
      Tangents of_branch = back(*entry(chosen), seed);
      conform_at(Positions{}, of_branch, chosen);
      return of_branch;
    });
    conform_at(Positions{}, tangents, at_);  // To the devices of the arguments.
    return tangents;
  }

 private:
  using State = PullbackState<Value, Tangents>;

  Tangents back(State& step, const TangentOf<Value>& seed) const {
    Tangents tangents = zeros_at(Positions{}, at_);
    step.reverse(conformed<Value>(seed, step.value.value()), tangents);
    return tangents;
  }

  /// The arguments with a condition that is known.
  [[nodiscard]] All choosing(bool pick) const {
    All chosen = at_;
    std::get<0>(chosen) = Tensor<bool>(pick);
    return chosen;
  }

  [[nodiscard]] static Shared<State> entry(const All& all) {
    (void)&primal<F, Args...>;  // Instantiates the body that the compiler reads.
    return std::apply(
        [](const Args&... args) -> Shared<State> {
          return pullback_entry<Positions, F, Args...>(F{}, args...);
        },
        all);
  }

  All at_;
  Shared<State> step_;  ///< Of the branch that ran; none where it was recorded.
};

/// Returns what the branch returns that is chosen.
template <class F, class... Args>
auto cond_at(const F& f, const Tensor<bool>& condition, const Args&... args) {
  const Tensor<bool> yes(true);
  const Tensor<bool> no(false);
  return cond(  // That of ddx, which is declared later.
      condition, [&] { return f(yes, args...); }, [&] { return f(no, args...); });
}

/// Returns the same with its pullback.
template <class F, class... Args>
auto cond_vjp(const F& /*f*/, const Args&... args) {
  CondPullback<F, Args...> pullback(args...);
  auto value = pullback.run();
  return ddx::vjp(std::move(value), std::move(pullback));
}

/// Returns what the branch returns that is chosen, and writes its tangent along `direction`, of the
/// arguments at `Moving`, to `tangent`.
template <std::size_t... Moving, class F, class Tangent, class Direction, class... Args>
auto cond_tangent(std::index_sequence<Moving...> moving, const F& /*f*/, Tangent& tangent,
                  const Direction& direction, const Tensor<bool>& condition, const Args&... args) {
  using Value = ValueOf<F, Tensor<bool>, Args...>;
  const Tensor<bool> yes(true);
  const Tensor<bool> no(false);
  const auto along = [&](const Tensor<bool>& picked) {
    const auto both = run_jvp<F, Tensor<bool>, Args...>(moving, F{}, direction, picked, args...);
    return std::pair<Value, Tangent>(both.value, conformed<Value>(both.tangent, both.value));
  };
  const std::pair<Value, Tangent> both = cond(  // That of ddx, which is declared later.
      condition, [&] { return along(yes); }, [&] { return along(no); });
  tangent = both.second;
  return both.first;
}

}  // namespace ddx::detail
