/// \file
/// The iterations of L-BFGS.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/ad/tangent.h"
#include "ddx/nn/detail/curvature_history.h"
#include "ddx/nn/detail/minimum_flow.h"
#include "ddx/nn/detail/wolfe_search.h"
#include "ddx/nn/gradients/clip.h"
#include "ddx/nn/optimizers/lbfgs_report.h"
#include "ddx/nn/runtime_number.h"

#include <array>
#include <cstddef>
#include <utility>

namespace ddx::nn::detail {

/// A model with the function's value and gradient there.
template <class Number, class Model>
struct MinimumPoint {
  Model model;
  Number value;
  TangentOf<Model> gradient;

  DDX_NO_DERIVATIVE(model, value, gradient)
};

/// A minimisation between its steps.
template <class Flow, class Model>
struct LBFGSState {
  using Number = typename Flow::Number;

  MinimumPoint<Number, Model> here;
  CurvatureHistory<Flow, TangentOf<Model>> history;
  Number gradient_norm;
  Number outcome;  ///< An LBFGSReport::Outcome.
  Number goes_on;  ///< 0 after the last step, else 1.
  Number iterations;
  Number evaluations;

  DDX_NO_DERIVATIVE(here, history, gradient_norm, outcome, goes_on, iterations, evaluations)
};

/// A search along a line between its probes.
template <class Flow, class Model>
struct LineSearch {
  MinimumPoint<typename Flow::Number, Model> there;  ///< Of the last probe.
  std::array<typename Flow::Number, WolfeState::number_count> numbers;

  LineSearch(const Flow& flow, MinimumPoint<typename Flow::Number, Model> point,
             const WolfeState& state)
      : there(std::move(point)) {
    set(flow, state);
  }

  void set(const Flow& flow, WolfeState state) {
    std::size_t place = 0;
    state.visit_numbers(
        [&](const RuntimeNumber& number) { numbers[place++] = flow.stored(number); });
  }
  [[nodiscard]] WolfeState state() const {
    WolfeState state = wolfe_start({}, 0);
    std::size_t place = 0;
    state.visit_numbers([&](RuntimeNumber& number) { number = RuntimeNumber(numbers[place++]); });
    return state;
  }

  DDX_NO_DERIVATIVE(there, numbers)
};

/// The iterations, with loops and branches of a flow.
template <class Flow, class Model, class Evaluate>
class LBFGSRun {
 public:
  using State = LBFGSState<Flow, Model>;

  LBFGSRun(const Flow& flow, const Evaluate& function, const LBFGSOptions& options)
      : flow_(flow), function_(function), options_(options) {}

  /// Value and gradient at the start. It goes on where both are finite.
  [[nodiscard]] State begin(const Model& model) const {
    Point here = evaluated(model);
    const RuntimeNumber norm = norm_of_all(here.gradient);
    const RuntimeNumber is_usable = is_finite(RuntimeNumber(here.value)) * is_finite(norm);
    CurvatureHistory<Flow, Tangent> history(flow_, options_.history, here.gradient);
    return {std::move(here),
            std::move(history),
            flow_.stored(norm),
            flow_.stored(
                choose_positive(is_usable, code(Outcome::Converged), code(Outcome::NotFinite))),
            flow_.stored(is_usable),
            flow_.stored(0),
            flow_.stored(1)};
  }

  /// The minimum from there.
  [[nodiscard]] State run(const State& start) const {
    State end = flow_.repeated(
        start, [&](const State& state) { return may_step(state) * is_below_limit(state); },
        [&](const State& state) { return stepped(state); });
    end.outcome = flow_.stored(
        choose_positive(may_step(end), code(Outcome::IterationLimit), RuntimeNumber(end.outcome)));
    return end;
  }

 private:
  using Tangent = TangentOf<Model>;
  using Point = MinimumPoint<typename Flow::Number, Model>;
  using Search = LineSearch<Flow, Model>;
  using Outcome = LBFGSReport::Outcome;

  static RuntimeNumber code(Outcome outcome) { return static_cast<double>(outcome); }

  [[nodiscard]] RuntimeNumber may_step(const State& state) const {
    return RuntimeNumber(state.goes_on) *
           is_above(RuntimeNumber(state.gradient_norm), options_.gradient_tolerance);
  }
  [[nodiscard]] RuntimeNumber is_below_limit(const State& state) const {
    return is_above(static_cast<double>(options_.max_iterations), RuntimeNumber(state.iterations));
  }

  [[nodiscard]] Point evaluated(Model model) const {
    auto [value, gradient] = function_(std::as_const(model));
    return {std::move(model), flow_.stored(flow_.loss(value)), std::move(gradient)};
  }

  [[nodiscard]] Point point_at(const Point& here, const RuntimeNumber& distance,
                               const Tangent& direction) const {
    Model model = here.model;
    move_along(model, distance, direction);
    return evaluated(std::move(model));
  }

  [[nodiscard]] State stepped(const State& state) const {
    const Point& here = state.here;
    const Tangent direction = state.history.direction(flow_, here.gradient);
    // Without history the direction has the gradient's length, which says nothing of the distance.
    const RuntimeNumber first =
        choose_positive(state.history.count(), 1, min(1, 1 / RuntimeNumber(state.gradient_norm)));
    const WolfeState::NumberProbe start{0, RuntimeNumber(here.value),
                                        inner_product(flow_, here.gradient, direction)};
    const Search search = flow_.repeated(
        Search(flow_, here, wolfe_start(start, first)),
        [](const Search& at) { return is_searching(at.state(), WolfeConditions()); },
        [&](const Search& at) {
          const WolfeState numbers = at.state();
          Point there = point_at(here, numbers.distance, direction);
          const WolfeState::NumberProbe probe{numbers.distance, RuntimeNumber(there.value),
                                              inner_product(flow_, there.gradient, direction)};
          return Search(flow_, std::move(there),
                        wolfe_next(numbers, probe, start, WolfeConditions()));
        });
    State probed = state;
    probed.evaluations = flow_.stored(RuntimeNumber(state.evaluations) + search.state().probes);
    return flow_.branch(
        is_above(search.state().best.distance, 0),
        [&] { return arrived(probed, search, direction); }, [&] { return stayed(probed); });
  }

  /// No lower value was found: once more along the gradient itself, unless that was it.
  [[nodiscard]] State stayed(State state) const {
    state.outcome = flow_.stored(code(Outcome::NoDescent));
    state.goes_on = flow_.stored(is_above(state.history.count(), 0));
    state.history.forget(flow_);
    return state;
  }

  [[nodiscard]] State arrived(State state, const Search& search, const Tangent& direction) const {
    const WolfeState found = search.state();
    const RuntimeNumber distance = found.best.distance;
    // Unless it satisfies the conditions, the best was not the last probe.
    Point there = flow_.branch(
        found.satisfied, [&] { return search.there; },
        [&] { return point_at(state.here, distance, direction); });
    Tangent step = direction;
    scale(step, distance);
    Tangent change = there.gradient;
    move_along(change, -1, state.here.gradient);
    state.history = state.history.with(flow_, options_.history, step, change);
    const RuntimeNumber fall = RuntimeNumber(state.here.value) - RuntimeNumber(there.value);
    state.here = std::move(there);
    const RuntimeNumber norm = norm_of_all(state.here.gradient);
    const RuntimeNumber value(state.here.value);
    const RuntimeNumber least = options_.value_tolerance * max(1, max(value, -value));
    const RuntimeNumber stalls =
        (1 - is_above(fall, least)) * is_above(norm, options_.gradient_tolerance);
    state.gradient_norm = flow_.stored(norm);
    state.goes_on = flow_.stored(1 - stalls);
    state.outcome =
        flow_.stored(choose_positive(stalls, code(Outcome::Stalled), code(Outcome::Converged)));
    state.iterations = flow_.stored(RuntimeNumber(state.iterations) + 1);
    state.evaluations = flow_.stored(RuntimeNumber(state.evaluations) + 1 - found.satisfied);
    return state;
  }

  Flow flow_;
  const Evaluate& function_;
  LBFGSOptions options_;
};

}  // namespace ddx::nn::detail
