/// \file
/// Waves on shallow water, simulated through time and compared with gauge measurements.

#pragma once

#include "programs/case.h"

#include <cstddef>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx::bench {

/// The water in a basin of `n` by `n` cells: its height, and its momentum in both directions.
template <class T>
struct Water {
  std::vector<T> height, across, down;
};

/// One step of the Lax-Friedrichs scheme for the shallow water equations over a bed; the rim of the
/// basin keeps its state.
template <class T>
void water_step(int n, double ratio, const std::vector<T>& bed, const Water<T>& now,
                Water<T>& next) {
  constexpr double gravity = 9.81;
  const auto& h = now.height;
  const auto& x = now.across;
  const auto& y = now.down;
  for (int i = 1; i < n - 1; ++i) {
    for (int j = 1; j < n - 1; ++j) {
      const int c = i * n + j;
      next.height[c] = 0.25 * (h[c - 1] + h[c + 1] + h[c - n] + h[c + n]) -
                       0.5 * ratio * (x[c + 1] - x[c - 1] + y[c + n] - y[c - n]);
      const T push_x = x[c + 1] * x[c + 1] / h[c + 1] - x[c - 1] * x[c - 1] / h[c - 1] +
                       0.5 * gravity * (h[c + 1] * h[c + 1] - h[c - 1] * h[c - 1]) +
                       x[c + n] * y[c + n] / h[c + n] - x[c - n] * y[c - n] / h[c - n];
      const T push_y = y[c + n] * y[c + n] / h[c + n] - y[c - n] * y[c - n] / h[c - n] +
                       0.5 * gravity * (h[c + n] * h[c + n] - h[c - n] * h[c - n]) +
                       x[c + 1] * y[c + 1] / h[c + 1] - x[c - 1] * y[c - 1] / h[c - 1];
      next.across[c] = 0.25 * (x[c - 1] + x[c + 1] + x[c - n] + x[c + n]) - 0.5 * ratio * push_x -
                       0.5 * ratio * gravity * h[c] * (bed[c + 1] - bed[c - 1]);
      next.down[c] = 0.25 * (y[c - 1] + y[c + 1] + y[c - n] + y[c + n]) - 0.5 * ratio * push_y -
                     0.5 * ratio * gravity * h[c] * (bed[c + n] - bed[c - n]);
    }
  }
}

/// Half the squared distance between the heights after an even number of steps and the target.
struct WaterMisfit {
  int n = 0;
  int steps = 0;
  std::vector<double> target;

  template <class T>
  T operator()(const std::vector<T>& start, const std::vector<T>& bed) const {
    Water<T> now{start, std::vector<T>(start.size()), std::vector<T>(start.size())};
    Water<T> next = now;
    for (int s = 0; s < steps; s += 2) {
      water_step(n, 0.02, bed, now, next);
      water_step(n, 0.02, bed, next, now);
    }
    T sum = 0;
    for (std::size_t i = 0; i < start.size(); ++i) {
      const T difference = now.height[i] - target[i];
      sum += difference * difference;
    }
    return 0.5 * sum;
  }
};

inline auto shallow_water_case(int n, int steps) {
  std::mt19937 generator(31);
  const auto random = [&](double least, double most) {
    std::uniform_real_distribution<double> uniform(least, most);
    std::vector<double> numbers(static_cast<std::size_t>(n * n));
    for (double& v : numbers) {
      v = uniform(generator);
    }
    return numbers;
  };
  WaterMisfit misfit{n, steps, random(1, 2)};
  const auto start = random(1, 2);
  const auto bed = random(0, 0.2);
  return Case{std::move(misfit), std::tuple{start, bed}};
}

}  // namespace ddx::bench
