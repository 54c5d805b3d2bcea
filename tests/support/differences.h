/// \file
/// Derivatives by central differences: the reference for compiled derivatives.

#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace ddx::testing {

/// A derivative by differences and the spread of its last two extrapolations.
struct Difference {
  double value;
  double spread;
};

/// Differentiates `objective`, a function from a vector of numbers to a number, with respect to
/// each number at `at`, by central differences of three steps and Romberg's extrapolation. `widest`
/// is the widest step, relative to max(1, |x|): rounding costs about epsilon / step, truncation
/// step^6.
///
/// Source: L. F. Richardson, J. A. Gaunt, "The deferred approach to the limit", 1927.
template <class Objective>
[[nodiscard]] std::vector<Difference> differences(const Objective& objective,
                                                  const std::vector<double>& at, double widest) {
  const auto moved_objective = [&](std::size_t component, double offset) {
    std::vector<double> moved = at;
    moved[component] += offset;
    return objective(moved);
  };
  std::vector<Difference> result;
  for (std::size_t i = 0; i < at.size(); ++i) {
    std::array<double, 3> slope{};
    double step = widest * std::max(1.0, std::fabs(at[i]));
    for (double& s : slope) {
      s = (moved_objective(i, step) - moved_objective(i, -step)) / (2 * step);
      step /= 2;
    }
    const double coarse = slope[1] + (slope[1] - slope[0]) / 3;
    const double fine = slope[2] + (slope[2] - slope[1]) / 3;
    const double finest = fine + (fine - coarse) / 15;
    result.push_back({finest, std::fabs(finest - fine)});
  }
  return result;
}

}  // namespace ddx::testing
