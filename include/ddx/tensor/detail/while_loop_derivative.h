/// \file
/// The derivatives of ddx::while_loop. The function is a class without members: its arguments are
/// the state, the options, the place in the program, and what the closures captured.

#pragma once

#include "ddx/ad/detail/differentiable_positions.h"
#include "ddx/ad/detail/direction.h"
#include "ddx/ad/detail/entry.h"
#include "ddx/ad/detail/owned.h"
#include "ddx/ad/detail/pullback_state.h"
#include "ddx/ad/detail/run_differential.h"
#include "ddx/ad/detail/zeros.h"
#include "ddx/ad/tangent.h"
#include "ddx/ad/vjp.h"
#include "ddx/backend/staging.h"
#include "ddx/core/error.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/detail/control_tangents.h"
#include "ddx/tensor/detail/control_values.h"
#include "ddx/tensor/detail/run_cond.h"
#include "ddx/tensor/detail/run_scan.h"
#include "ddx/tensor/detail/run_while_loop.h"
#include "ddx/tensor/detail/scan_derivative.h"
#include "ddx/tensor/detail/while_loop_options.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx::detail {

/// What the compiler differentiates of `while_loop`: the condition where the options allow no turn,
/// else a turn.
template <class Condition, class Body, class State>
std::pair<Tensor<bool>, State> while_turn(const State& state, const WhileLoopOptions& options,
                                          const std::source_location& /*where*/,
                                          const Condition& condition, const Body& body) {
  Tensor<bool> goes_on;
  if (options.most_turns == 0) {
    goes_on = condition(state);
    return {goes_on, state};
  }
  return {goes_on, body(state)};
}

inline constexpr WhileLoopOptions ask_condition{.most_turns = 0};
inline constexpr WhileLoopOptions run_body{};

/// The pullback.
template <class F, class State, class Options, class Where, class... Captured>
class WhileLoopPullback {
  using All = std::tuple<State, Options, Where, Captured...>;
  using Positions = DifferentiablePositions<State, Options, Where, Captured...>;
  using Tangents = TangentsOf<Positions, State, Options, Where, Captured...>;
  using Value = ValueOf<F, State, Options, Where, Captured...>;
  using Record = PullbackState<Value, Tangents>;
  using OfState = TangentOf<State>;
  using Flag = Tensor<bool>;

 public:
  WhileLoopPullback(const State& start, const Options& options, const Where& where,
                    const Captured&... captured)
      : at_(start, options, where, captured...) {}

  /// Runs the loop.
  State run() {
    const std::optional<std::int64_t>& most = std::get<1>(at_).most_turns;
    check_most_turns(most);
    if (!is_recorded(start()) || !most) {
      if (is_recorded(start()) && backend::is_staging()) {
        throw UsageError("while_loop",
                         "the gradient of a loop in a function that is recorded needs .most_turns, "
                         "for so many states are kept");
      }
      return loop_while([this](const State& state) { return call(state, ask_condition).first; },
                        [this](const State& state) {
                          steps_.push_back(entry(turn(state)));
                          return steps_.back()->value.value().second;
                        },
                        start(), most);
    }
    return run_recorded(*most);
  }

  /// Returns the tangents of all arguments that have one.
  Tangents operator()(const OfState& seed) const {
    Tangents tangents = full_zeros_at(Positions{}, at_);
    std::get<0>(tangents) = conformed<State>(seed, start());
    if (kept_) {
      tangents = back_recorded(tangents);
    }
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
      back(**step, tangents);
    }
    conform_at(Positions{}, tangents, at_);
    return tangents;
  }

 private:
  using Kept = std::pair<State, Flag>;  // The state before a turn, and whether that turns.

  [[nodiscard]] const State& start() const { return std::get<0>(at_); }
  [[nodiscard]] const Where& where() const { return std::get<2>(at_); }

  [[nodiscard]] All turn(const State& state) const {
    All all = at_;
    std::get<0>(all) = state;
    std::get<1>(all) = run_body;
    return all;
  }

  [[nodiscard]] Value call(const State& state, const Options& options) const {
    All all = at_;
    std::get<0>(all) = state;
    std::get<1>(all) = options;
    return std::apply(F{}, all);
  }

  [[nodiscard]] static Shared<Record> entry(const All& all) {
    (void)&primal<F, State, Options, Where, Captured...>;  // Instantiates what the compiler reads.
    return std::apply(
        [](const auto&... args) -> Shared<Record> {
          return pullback_entry<Positions, F, State, Options, Where, Captured...>(F{}, args...);
        },
        all);
  }

  /// Those of what was captured are added to, that of the state is replaced.
  static void back(Record& step, Tangents& tangents) {
    const Value& value = step.value.value();
    TangentOf<Value> cotangent{};
    cotangent.second = conformed<State>(
        std::exchange(std::get<0>(tangents), zeros_like(value.second)), value.second);
    step.reverse(cotangent, tangents);
  }

  /// All turns there may be; those behind the end return the state as it is.
  State run_recorded(std::int64_t most) {
    auto [last, kept] = run_scan<Kept, Kept>(
        {most, false, where()},
        [this](const Kept& before, const std::tuple<>&) {
          const Flag asked = call(before.first, ask_condition).first;
          check_condition("while_loop", asked.shape());
          const Flag turns = logical_and(before.second, Flag(Array(asked.array(), Shape{})));
          State after = run_cond<State>(
              turns,
              [this](bool pick, const State& state) {
                return pick ? call(state, run_body).second : state;
              },
              before.first);
          return std::pair<Kept, Kept>({std::move(after), turns}, {before.first, turns});
        },
        Kept(start(), Flag(true, recording_device(start()).value())), std::tuple<>());
    kept_ = std::move(kept);
    return std::move(last.first);
  }

  [[nodiscard]] Tangents back_recorded(const Tangents& seed) const {
    const std::int64_t most = *std::get<1>(at_).most_turns;
    return run_scan<Tangents, std::tuple<>>(
               {most, true, where()},
               [this](const Tangents& before, const Kept& kept) {
                 Tangents after = run_cond<Tangents>(
                     kept.second,
                     [this](bool pick, const Tangents& tangents, const State& state) {
                       Tangents moved = tangents;
                       if (pick) {
                         const All at = turn(state);
                         back(*entry(at), moved);
                         conform_at(Positions{}, moved, at);
                       }
                       return moved;
                     },
                     before, kept.first);
                 return std::pair<Tangents, std::tuple<>>(std::move(after), {});
               },
               seed, *kept_)
        .first;
  }

  All at_;
  std::vector<Shared<Record>> steps_;  ///< Of the turns, where they ran.
  std::optional<Kept> kept_;           ///< Of all turns, where they were recorded.
};

/// Returns the last state.
template <class F, class State, class Options, class Where, class... Captured>
State while_loop_at(const F& f, const State& start, const Options& options, const Where& where,
                    const Captured&... captured) {
  const auto condition = [&](const State& state) {
    return f(state, ask_condition, where, captured...).first;
  };
  const auto body = [&](const State& state) {
    return f(state, run_body, where, captured...).second;
  };
  return while_loop(condition, body, start, options,
                    where);  // That of ddx, which is declared later.
}

/// Returns the last state with that pullback.
template <class F, class... Args>
auto while_loop_vjp(const F& /*f*/, const Args&... args) {
  WhileLoopPullback<F, Args...> pullback(args...);
  auto value = pullback.run();
  return ddx::vjp(std::move(value), std::move(pullback));
}

/// Returns the last state, and writes its tangent along `direction`, of the arguments at `Moving`,
/// to `tangent`: by a loop whose state has the tangent beside it.
template <std::size_t... Moving, class F, class Tangent, class Direction, class State,
          class Options, class Where, class... Captured>
State while_loop_tangent(std::index_sequence<Moving...>, const F& f, Tangent& tangent,
                         const Direction& direction, const State& start, const Options& options,
                         const Where& where, const Captured&... captured) {
  using Along = TurnDirection<State, std::index_sequence<Moving...>>;
  using Both = std::pair<State, Tangent>;
  const auto condition = [&](const Both& both) {
    return f(both.first, ask_condition, where, captured...).first;
  };
  const auto body = [&](const Both& both) {
    const auto moved = run_jvp<F, State, Options, Where, Captured...>(
        typename Along::Positions{}, F{}, Along::of_turn(both.second, NoTangent{}, direction),
        both.first, run_body, where, captured...);
    return Both(moved.value.second, conformed<State>(moved.tangent.second, moved.value.second));
  };
  const Both last = while_loop(  // That of ddx, which is declared later.
      condition, body, Both(start, Along::start(direction, start)), options, where);
  tangent = last.second;
  return last.first;
}

}  // namespace ddx::detail
