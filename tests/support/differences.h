/// \file
/// Derivatives by central differences: the judge of the compiled ones.

#pragma once

#include "scalars.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <tuple>
#include <vector>

// As in gradient_check.h.
#pragma clang optimize off

namespace ddx::testing {

/// A derivative by differences and the spread of its last two extrapolations.
struct Difference {
  double value;
  double spread;
};

/// What suits a program that computes in `Scalar`: the widest step (relative to max(1, |x|)) and
/// the relative error to accept. Rounding costs about epsilon / step, truncation step^6.
template <class Scalar>
struct Precision;

template <>
struct Precision<double> {
  static constexpr double step = 1e-3;
  static constexpr double tolerance = 1e-8;
};

template <>
struct Precision<float> {
  static constexpr double step = 0.06;
  static constexpr double tolerance = 4e-4;
};

/// Differentiates `sum of weights[j] * scalar j of program(arguments)` with respect to each scalar
/// of `arguments`, by central differences of three steps and Romberg's extrapolation.
///
/// Source: L. F. Richardson, J. A. Gaunt, "The deferred approach to the limit", 1927.
template <class Scalar, class Program, class... Args>
[[nodiscard]] std::vector<Difference> differences(const Program& program,
                                                  const std::tuple<Args...>& arguments,
                                                  const std::vector<double>& weights) {
  const std::vector<double> at = scalars(arguments);
  const auto objective = [&](std::size_t component, double offset) {
    std::vector<double> moved = at;
    moved[component] += offset;
    auto moved_arguments = arguments;
    set_scalars(moved_arguments, moved);
    const std::vector<double> result = scalars(std::apply(program, moved_arguments));
    double sum = 0;
    for (std::size_t j = 0; j < weights.size(); ++j) {
      sum += weights[j] * result[j];
    }
    return sum;
  };
  std::vector<Difference> result;
  for (std::size_t i = 0; i < at.size(); ++i) {
    std::array<double, 3> slope{};
    double step = Precision<Scalar>::step * std::max(1.0, std::fabs(at[i]));
    for (double& s : slope) {
      s = (objective(i, step) - objective(i, -step)) / (2 * step);
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

#pragma clang optimize on
