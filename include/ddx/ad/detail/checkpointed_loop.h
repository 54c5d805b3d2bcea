/// \file
/// The pullback of a checkpointed loop: snapshots by the binomial schedule.

#pragma once

#include "ddx/ad/detail/binomial_schedule.h"
#include "ddx/ad/detail/differentiable_positions.h"
#include "ddx/ad/detail/entry.h"
#include "ddx/ad/detail/loop_step.h"
#include "ddx/ad/detail/owned.h"
#include "ddx/ad/detail/zeros.h"
#include "ddx/ad/tangent.h"
#include "ddx/ad/vjp.h"

#include <cstddef>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddx::detail {

/// The states of a loop that are held: that of the start, and others later and later.
template <class State>
class Snapshots {
 public:
  /// May hold `memory` states.
  ///
  /// Throws: UsageError where that is none.
  Snapshots(std::size_t memory, const State& start) : memory_(memory) {
    check_loop_memory(memory);
    hold(0, start);
  }

  /// Returns the state before the last of `steps` steps, of which there is at least one, and holds
  /// it and some of those on the way. `advance(state, k)` returns the state after step k.
  template <class Advance>
  const State& sweep_forward(std::size_t steps, const Advance& advance) {
    moving_.emplace(run(steps - 1, advance));
    return *moving_;
  }

  /// Calls `reverse(state, k)` for each step k before `end`, the last one first, with the state
  /// before it. The state of the start stays, so that this may be done again.
  template <class Advance, class Reverse>
  void sweep_back(std::size_t end, const Advance& advance, const Reverse& reverse) {
    while (end > 0) {
      if (held_.back()->step + 1 == end) {
        --end;
        reverse(held_.back()->state, end);
        if (held_.size() > 1) {
          held_.pop_back();
        }
        continue;
      }
      if (!moving_) {
        moving_.emplace(run(end - 1, advance));
      }
      if (held_.back()->step + 1 < end) {  // There was no room for it.
        --end;
        reverse(*moving_, end);
      }
      moving_.reset();
    }
    moving_.reset();
  }

 private:
  struct Snapshot {
    std::size_t step;
    State state;

    Snapshot(std::size_t step_before, const State& held) : step(step_before), state(held) {}
  };

  void hold(std::size_t step, const State& state) {
    held_.push_back(Shared<const Snapshot>::make(step, state));
  }

  /// Returns the state before step `end`, and takes snapshots on the way to it, for the steps up to
  /// and with that one.
  template <class Advance>
  State run(std::size_t end, const Advance& advance) {
    State state = held_.back()->state;
    std::size_t next = snapshot_after(held_.back()->step, end);
    for (std::size_t k = held_.back()->step; k < end;) {
      state = advance(state, k);
      ++k;
      if (k == next) {
        hold(k, state);
        next = snapshot_after(k, end);
      }
    }
    return state;
  }

  /// Where the snapshot after that of `step` is taken, where step `last` is to be reversed first.
  [[nodiscard]] std::size_t snapshot_after(std::size_t step, std::size_t last) const {
    const std::size_t steps = last + 1 - step;
    const std::size_t room = memory_ - held_.size() + 1;
    return steps >= 2 && room >= 2 ? step + stride(steps, room) : last + 1;
  }

  std::size_t memory_;
  std::vector<Shared<const Snapshot>> held_;  ///< Copies of a pullback share them.
  std::optional<State> moving_;               ///< The state before the step that is reversed next.
};

/// The pullback. Of the arguments, the first are what the closure of the body captured; then come
/// the state, the number of steps, and that of the states to hold.
template <class F, class... Args>
class CheckpointedLoopPullback {
  using All = std::tuple<Args...>;
  static constexpr std::size_t state_position = sizeof...(Args) - 3;
  using State = std::tuple_element_t<state_position, All>;
  using Positions = DifferentiablePositions<Args...>;
  using Tangents = TangentsOf<Positions, Args...>;

 public:
  explicit CheckpointedLoopPullback(const Args&... args)
      : at_(args...),
        snapshots_(std::get<state_position + 2>(at_), std::get<state_position>(at_)) {}

  /// Runs the loop, and returns the last state.
  State run() {
    const std::size_t steps = count();
    if (steps == 0) {
      return std::get<state_position>(at_);
    }
    return advance()(snapshots_.sweep_forward(steps, advance()), steps - 1);
  }

  /// Returns the tangents of all arguments that have one.
  Tangents operator()(const TangentOf<State>& seed) const {
    Tangents tangents = zeros(Positions{});
    TangentOf<State>& moving = std::get<std::tuple_size_v<Tangents> - 1>(tangents);
    moving = seed;
    snapshots_.sweep_back(count(), advance(), [&](const State& state, std::size_t k) {
      const auto step = with_captures(state, k, [](const F& f, const auto&... args) {
        (void)&primal<F, Args...>;  // Instantiates the body that the compiler reads.
        return pullback_entry<Positions, F, Args...>(f, args...);
      });
      TangentOf<State> cotangent = std::exchange(moving, zeros_like(state));
      conform<State>(cotangent, step->value.value());
      step->reverse(cotangent, tangents);
    });
    conform<State>(moving, std::get<state_position>(at_));
    return tangents;
  }

 private:
  [[nodiscard]] std::size_t count() const { return std::get<state_position + 1>(at_); }

  template <std::size_t... I>
  [[nodiscard]] Tangents zeros(std::index_sequence<I...>) const {
    return Tangents(zeros_like(std::get<I>(at_))...);
  }

  /// Calls `function` with the body and its arguments at step `k`.
  template <class Function>
  auto with_captures(const State& state, std::size_t k, const Function& function) const {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return function(F{}, std::get<I>(at_)..., state, k, std::get<state_position + 2>(at_));
    }(std::make_index_sequence<state_position>{});
  }

  [[nodiscard]] auto advance() const {
    return [this](const State& state, std::size_t k) {
      return with_captures(state, k, [](const F& f, const auto&... args) { return f(args...); });
    };
  }

  All at_;
  mutable Snapshots<State> snapshots_;  ///< A pullback changes which states it holds.
};

/// The loop with these arguments; the two counts may come as literals.
template <class F, class... Args>
auto checkpointed_loop_of(const Args&... args) {
  const auto all = std::tie(args...);
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    using Loop = CheckpointedLoopPullback<F, std::tuple_element_t<I, std::tuple<Args...>>...,
                                          std::size_t, std::size_t>;
    return Loop(std::get<I>(all)..., static_cast<std::size_t>(std::get<sizeof...(I)>(all)),
                static_cast<std::size_t>(std::get<sizeof...(I) + 1>(all)));
  }(std::make_index_sequence<sizeof...(Args) - 2>{});
}

/// Returns the last state.
template <class F, class... Args>
auto checkpointed_loop_at(const F& /*f*/, const Args&... args) {
  return checkpointed_loop_of<F>(args...).run();
}

/// Returns the last state with that pullback.
template <class F, class... Args>
auto checkpointed_loop_vjp(const F& /*f*/, const Args&... args) {
  auto loop = checkpointed_loop_of<F>(args...);
  auto last = loop.run();
  return ddx::vjp(std::move(last), std::move(loop));
}

}  // namespace ddx::detail
