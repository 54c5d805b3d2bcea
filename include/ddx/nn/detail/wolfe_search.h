/// \file
/// How far to go along a direction.

#pragma once

#include <functional>

namespace ddx::nn::detail {

/// A function and its slope at one distance along a direction.
struct Probe {
  double distance = 0;
  double value = 0;
  double slope = 0;
};

/// What counts as far enough, with 0 < decrease < curvature < 1.
struct WolfeConditions {
  double decrease = 1e-4;  ///< The value falls by at least this part of what the slope promises,
  double curvature = 0.9;  ///< and at most this part of the slope is left.
  int max_probes = 25;
};

/// How a search ended.
struct WolfeResult {
  Probe best;          ///< The point found; the start where there is none that is lower.
  bool found = false;  ///< Whether it satisfies both conditions.
};

/// Searches the distances above 0 for a point that satisfies the strong Wolfe conditions, beginning
/// at `first`. A value or slope that is not finite counts as too far. The slope at the start is
/// negative.
///
/// Source: J. Nocedal, S. Wright, "Numerical optimization", 2nd edition, 2006, algorithms 3.5 and
///         3.6, with cubic interpolation (3.59).
WolfeResult wolfe_search(const std::function<Probe(double distance)>& probe, const Probe& start,
                         double first, const WolfeConditions& conditions);

}  // namespace ddx::nn::detail
