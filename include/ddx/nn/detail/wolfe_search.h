/// \file
/// How far to go along a direction.

#pragma once

#include "ddx/nn/runtime_number.h"

#include <cstddef>
#include <functional>

namespace ddx::nn::detail {

/// A function and its slope at one distance along a direction.
template <class Number>
struct ProbeOf {
  Number distance = 0;
  Number value = 0;
  Number slope = 0;
};
using Probe = ProbeOf<double>;

/// What counts as far enough, with 0 < decrease < curvature < 1.
struct WolfeConditions {
  double decrease = 1e-4;  ///< The value falls by at least this part of what the slope promises,
  double curvature = 0.9;  ///< and at most this part of the slope is left.
  int max_probes = 25;
};

/// A search between its probes. Its numbers may depend on elements that are not known, so that it
/// can be recorded.
struct WolfeState {
  using NumberProbe = ProbeOf<RuntimeNumber>;
  static constexpr std::size_t number_count = 13;

  NumberProbe low;              ///< The end of the interval with the lower value, or where it began
  NumberProbe high;             ///< while it has no other end.
  NumberProbe best;             ///< The point found so far; the start where there is none.
  RuntimeNumber distance;       ///< Of the next probe.
  RuntimeNumber probes = 0;     ///< How many there were.
  RuntimeNumber has_high = 0;   ///< 1 where the interval has two ends, else 0.
  RuntimeNumber satisfied = 0;  ///< 1 where `best` satisfies both conditions, else 0.

  /// Calls `visit(number)` for each number.
  template <class Visit>
  void visit_numbers(const Visit& visit) {
    for (NumberProbe* const probe : {&low, &high, &best}) {
      visit(probe->distance);
      visit(probe->value);
      visit(probe->slope);
    }
    visit(distance);
    visit(probes);
    visit(has_high);
    visit(satisfied);
  }
};

/// The begin of a search of the distances above 0 for a point that satisfies the strong Wolfe
/// conditions, the first one at `first`. The slope at the start is negative.
[[nodiscard]] WolfeState wolfe_start(const WolfeState::NumberProbe& start,
                                     const RuntimeNumber& first);

/// Above zero while there are more probes.
[[nodiscard]] RuntimeNumber is_searching(const WolfeState& state,
                                         const WolfeConditions& conditions);

/// The search after the probe at `state.distance`. A value or slope that is not finite counts as
/// too far.
///
/// Source: J. Nocedal, S. Wright, "Numerical optimization", 2nd edition, 2006, algorithms 3.5 and
///         3.6, with cubic interpolation (3.59).
[[nodiscard]] WolfeState wolfe_next(const WolfeState& state, const WolfeState::NumberProbe& here,
                                    const WolfeState::NumberProbe& start,
                                    const WolfeConditions& conditions);

/// 1 where a is above b, else 0, also where one is NaN.
[[nodiscard]] RuntimeNumber is_above(const RuntimeNumber& a, const RuntimeNumber& b);
/// 1 where a number is neither infinite nor NaN, else 0.
[[nodiscard]] RuntimeNumber is_finite(const RuntimeNumber& number);

/// How a search ended.
struct WolfeResult {
  Probe best;          ///< The point found; the start where there is none that is lower.
  bool found = false;  ///< Whether it satisfies both conditions.
};

/// A whole search of a function whose values are known.
WolfeResult wolfe_search(const std::function<Probe(double distance)>& probe, const Probe& start,
                         double first, const WolfeConditions& conditions);

}  // namespace ddx::nn::detail
