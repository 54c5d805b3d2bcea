/// \file
/// A function as long as a condition holds: called in a loop, or recorded as an operation with two
/// regions.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/backend/staging.h"
#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/operation.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/control_values.h"
#include "ddx/tensor/detail/record_function.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <optional>
#include <source_location>
#include <utility>
#include <vector>

namespace ddx::detail {

/// Whether there is another turn after so many.
inline bool may_turn(std::int64_t turns, const std::optional<std::int64_t>& most) {
  return !most || turns < *most;
}

/// Throws:  UsageError where the most turns are fewer than none.
void check_most_turns(const std::optional<std::int64_t>& most);

/// The last state of a loop of C++, which looks at the condition before each turn.
template <class Condition, class Body, class State>
State loop_while(const Condition& condition, const Body& body, const State& start,
                 const std::optional<std::int64_t>& most) {
  State state = start;
  for (std::int64_t turns = 0; may_turn(turns, most); ++turns) {
    const Tensor<bool> goes_on = condition(state);
    check_condition("while_loop", goes_on.shape());
    if (!goes_on.item()) {
      break;
    }
    State next = body(state);
    check_same_form("while_loop", "state", start, next);
    state = std::move(next);
  }
  return state;
}

/// The same, recorded for a lazy device. What is a symbolic zero in all states stays one.
template <class Condition, class Body, class State>
State record_while(Device device, const std::source_location& where, const Condition& condition,
                   const Body& body, const State& given) {
  State start = given;
  const auto recorded = [&] {
    return record<State>(
        "while_loop", device,
        [&](const State& state) {
          State next = body(state);
          write_out_zeros(next, start);
          return next;
        },
        types_of(arrays_in(start)), start);
  };
  auto done = recorded();
  while (write_out_zeros(start, done.form)) {
    done = recorded();
  }
  const std::vector<Array> operands = arrays_in(start);
  const std::vector<ir::Type> types = types_of(operands);
  check_same_form("while_loop", "state", start, types, done.form, result_types(done.staged.graph));
  auto asked = record<Tensor<bool>>(
      "while_loop", device,
      [&](const State& state) {
        const Tensor<bool> goes_on = condition(state);
        check_condition("while_loop", goes_on.shape());
        return Tensor<bool>(Array(goes_on.array(), Shape{}));
      },
      types, start);
  set_tensors(done.form,
              record_regions(device, ir::Control::WhileLoop, std::move(asked.staged),
                             std::move(done.staged), operands, where),
              types, device);
  return std::move(done.form);
}

/// Either, by where the values lie.
template <class Condition, class Body, class State>
State run_while_loop(const std::source_location& where, const Condition& condition,
                     const Body& body, const State& start,
                     const std::optional<std::int64_t>& most) {
  check_most_turns(most);
  const std::optional<Device> device = recording_device(start);
  if (!device) {
    return loop_while(condition, body, start, most);
  }
  if (!most) {
    return record_while(*device, where, condition, body, start);
  }
  // The turns are counted in a tensor.
  using Counted = std::pair<State, Tensor<std::int64_t>>;
  const Tensor<std::int64_t> last(*most, *device);
  return record_while(
             *device, where,
             [&](const Counted& both) {
               const Tensor<bool> goes_on = condition(both.first);
               check_condition("while_loop", goes_on.shape());
               return logical_and(Tensor<bool>(Array(goes_on.array(), Shape{})),
                                  less(both.second, last));
             },
             [&](const Counted& both) { return Counted(body(both.first), both.second + 1); },
             Counted(start, Tensor<std::int64_t>(0, *device)))
      .first;
}

}  // namespace ddx::detail
