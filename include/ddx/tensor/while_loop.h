/// \file
/// Loops whose condition is a tensor.

#pragma once

#include "ddx/tensor/detail/run_while_loop.h"
#include "ddx/tensor/detail/while_loop_derivative.h"
#include "ddx/tensor/detail/while_loop_options.h"
#include "ddx/tensor/tensor.h"

#include <source_location>
#include <type_traits>
#include <utility>

namespace ddx {

/// Repeats `state = body(state)`, from `start`, as long as `condition(state)` holds and, with
/// `.most_turns`, at most so often. Returns the last state.
///
/// On a device that records operations (Device::is_lazy: the lazy device, devices of PJRT, meshes)
/// this is one operation with both functions as graphs: the condition is not observed while the
/// program is recorded. Elsewhere it is a loop. The state has the same types as arguments of
/// `compile`; it keeps its shapes, dtypes and numbers.
///
/// Shapes:   condition(state) of one element
/// Throws:   UsageError if the condition has not one element or the state changes in more than its
///           elements; if a function that is recorded observes elements; what the functions throw.
/// Gradient: where the loop is one operation, reverse mode saves the states of `.most_turns`
///           iterations, runs the body again, and takes time for all of them. Without that option
///           it observes each condition, which is an error in a function that is recorded.
///           Elsewhere it saves the residuals of each iteration. Forward mode needs none of this.
/// Example:
///   const auto root = while_loop([&](const auto& x) { return greater(abs(x * x - a), 1e-6F); },
///                                [&](const auto& x) { return 0.5F * (x + a / x); }, a);
template <class Condition, class Body, class State>
[[nodiscard]] State while_loop(const Condition& condition, const Body& body, const State& start,
                               const WhileLoopOptions& options = {},
                               std::source_location where = std::source_location::current()) {
  static_assert(
      std::is_same_v<std::decay_t<std::invoke_result_t<const Body&, const State&>>, State>,
      "ddx::while_loop: the body has to return a state of the type of the start");
  // Instantiates what the compiler reads.
  (void)&detail::while_turn<Condition, Body, State>;
  return detail::run_while_loop(where, condition, body, start, options.most_turns);
}

}  // namespace ddx
