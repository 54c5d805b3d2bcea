/// \file
/// Time for memory: calls that are run again on the way back.

#pragma once

#include "ddx/ad/detail/entry.h"
#include "ddx/ad/detail/loop_step.h"

#include <cstddef>
#include <type_traits>

namespace ddx {

/// Calls `f` with the arguments. In differentiated code, reverse mode keeps the arguments alone,
/// not what `f` computes from them: `f` runs once more when its part of the reverse sweep begins.
///
/// `f` must change nothing, and what it captures by reference is copied. Where several calls
/// follow each other, as the segments of a long loop, memory is that of the longest of them.
/// Cost:    one more call of `f` in each reverse sweep.
/// Example: for (int k = 0; k < 100; ++k) state = ddx::checkpointed(hundred_steps, state);
template <class F, class... Args>
  requires(sizeof...(Args) > 0)
[[nodiscard]] auto checkpointed(const F& f, const Args&... args) {
  return detail::primal<std::decay_t<const F>, Args...>(f, args...);
}

/// Returns a function whose calls are those of `f`, checkpointed.
///
/// Example: const auto segment = ddx::checkpointed(hundred_steps); state = segment(state);
template <class F>
[[nodiscard]] auto checkpointed(const F& f) {
  return [f](const auto&... args) { return ddx::checkpointed(f, args...); };
}

/// Runs `state = body(state, k)` for k = 0, 1, ..., steps - 1, from `start`, and returns the last
/// state. In differentiated code, reverse mode holds at most `memory` states at once (and one that
/// moves), besides the record of one step; what lies between is run again, as rarely as that
/// allows: the schedule is binomial (Griewank and Walther, "Revolve", 2000).
///
/// `body` must change nothing, and what it captures by reference is copied.
/// Forward mode runs the loop once, beside its tangent.
/// Throws:  UsageError where `memory` is 0, whatever the number of steps.
/// Cost:    with C(memory + r, memory) >= steps, no step runs more than r times again. 10 states
///          are enough for 1000 steps with r = 4, 20 for a million with r = 8.
/// Example: auto last = ddx::checkpointed_loop(1000, 10, start,
///              [&](const State& s, std::size_t k) { return step(s, forcing[k]); });
template <class State, class F>
[[nodiscard]] State checkpointed_loop(std::size_t steps, std::size_t memory, const State& start,
                                      const F& body) {
  detail::check_loop_memory(memory);
  State state = start;
  for (std::size_t k = 0; k < steps; ++k) {
    state = detail::loop_step<F, State>(body, state, k, memory);
  }
  return state;
}

}  // namespace ddx
