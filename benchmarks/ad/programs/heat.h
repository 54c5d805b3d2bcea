/// \file
/// Heat in a plate of varying conductivity, simulated through time and compared with a target.

#pragma once

#include "programs/case.h"

#include <cstddef>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx::bench {

/// One explicit step of du/dt = div(k grad u); the rim of the plate keeps its temperature.
template <class T>
void heat_step(int n, double dt, const std::vector<T>& k, const std::vector<T>& u,
               std::vector<T>& next) {
  for (int i = 1; i < n - 1; ++i) {
    for (int j = 1; j < n - 1; ++j) {
      const int c = i * n + j;
      const T north = 0.5 * (k[c] + k[c - n]) * (u[c - n] - u[c]);
      const T south = 0.5 * (k[c] + k[c + n]) * (u[c + n] - u[c]);
      const T west = 0.5 * (k[c] + k[c - 1]) * (u[c - 1] - u[c]);
      const T east = 0.5 * (k[c] + k[c + 1]) * (u[c + 1] - u[c]);
      next[c] = u[c] + dt * (north + south + west + east);
    }
  }
}

/// Half the squared distance between the temperature after an even number of steps and the target.
struct HeatMisfit {
  int n = 0;
  int steps = 0;
  std::vector<double> target;

  template <class T>
  T operator()(const std::vector<T>& start, const std::vector<T>& conductivity) const {
    std::vector<T> u = start;
    std::vector<T> next = start;
    for (int s = 0; s < steps; s += 2) {
      heat_step(n, 0.1, conductivity, u, next);
      heat_step(n, 0.1, conductivity, next, u);
    }
    T sum = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {
      const T difference = u[i] - target[i];
      sum += difference * difference;
    }
    return 0.5 * sum;
  }
};

inline auto heat_case(int n, int steps) {
  std::mt19937 generator(29);
  const auto random = [&](double least, double most) {
    std::uniform_real_distribution<double> uniform(least, most);
    std::vector<double> numbers(static_cast<std::size_t>(n * n));
    for (double& v : numbers) {
      v = uniform(generator);
    }
    return numbers;
  };
  HeatMisfit misfit{n, steps, random(0, 1)};
  const auto start = random(0, 1);
  const auto conductivity = random(0.5, 1.5);
  return Case{std::move(misfit), std::tuple{start, conductivity}};
}

}  // namespace ddx::bench
