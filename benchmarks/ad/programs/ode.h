/// \file
/// A chain of ordinary differential equations, as in CppAD's and GradBench's `ode`.

#pragma once

#include "programs/case.h"

#include <cstddef>
#include <random>
#include <tuple>
#include <vector>

namespace ddx::bench {

/// dy_0 = x_0, dy_i = x_i y_{i-1}.
template <class T>
std::vector<T> chain_slope(const std::vector<T>& x, const std::vector<T>& y) {
  std::vector<T> dy(x.size());
  dy[0] = x[0];
  for (std::size_t i = 1; i < x.size(); ++i) {
    dy[i] = x[i] * y[i - 1];
  }
  return dy;
}

/// The last variable at time 2, from rest, by the classical Runge-Kutta method.
struct ChainOfEquations {
  int steps = 0;

  template <class T>
  T operator()(const std::vector<T>& x) const {
    const std::size_t n = x.size();
    const double h = 2.0 / steps;
    std::vector<T> y(n);
    std::vector<T> between(n);
    for (int s = 0; s < steps; ++s) {
      const std::vector<T> k1 = chain_slope(x, y);
      for (std::size_t i = 0; i < n; ++i) {
        between[i] = y[i] + 0.5 * h * k1[i];
      }
      const std::vector<T> k2 = chain_slope(x, between);
      for (std::size_t i = 0; i < n; ++i) {
        between[i] = y[i] + 0.5 * h * k2[i];
      }
      const std::vector<T> k3 = chain_slope(x, between);
      for (std::size_t i = 0; i < n; ++i) {
        between[i] = y[i] + h * k3[i];
      }
      const std::vector<T> k4 = chain_slope(x, between);
      for (std::size_t i = 0; i < n; ++i) {
        y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
      }
    }
    return y[n - 1];
  }
};

inline auto ode_case(int variables, int steps) {
  std::mt19937 generator(13);
  std::uniform_real_distribution<double> uniform(5, 7);
  std::vector<double> x(static_cast<std::size_t>(variables));
  for (double& v : x) {
    v = uniform(generator);
  }
  return Case{ChainOfEquations{steps}, std::tuple{x}};
}

}  // namespace ddx::bench
