/// \file
/// Roots of polynomials by Newton's method: a trip count that depends on the data, and an early
/// return.

#pragma once

#include "programs/case.h"

#include <cmath>
#include <cstddef>
#include <random>
#include <tuple>
#include <vector>

namespace ddx::bench {

/// A root of the polynomial with the `n` coefficients from `a` on, from the start `x`; long steps
/// are damped. Weighted by the number of steps taken.
template <class T>
T newton_root(const T* a, int n, T x, const T& damping) {
  using std::fabs;
  for (int iteration = 0; iteration < 60; ++iteration) {
    T p = a[n - 1];
    T slope = 0;
    for (int i = n - 2; i >= 0; --i) {
      slope = slope * x + p;
      p = p * x + a[i];
    }
    if (fabs(p) < 1e-10) {
      return x * (1.0 + 0.001 * iteration);
    }
    T step = p / slope;
    if (fabs(step) > 1.0) {
      step = step * damping;
    }
    x = x - step;
  }
  return x;
}

/// The sum of the squared roots of consecutive polynomials.
struct NewtonRoots {
  int terms = 0;

  template <class T>
  T operator()(const std::vector<T>& coefficients, const T& damping) const {
    T sum = 0;
    for (std::size_t k = 0; k + terms <= coefficients.size(); k += terms) {
      const T root = newton_root(&coefficients[k], terms, T(2.0), damping);
      sum += root * root;
    }
    return sum;
  }
};

inline auto newton_case(int polynomials, int terms) {
  std::mt19937 generator(9);
  std::uniform_real_distribution<double> uniform(0.2, 1);
  std::vector<double> coefficients;
  for (int k = 0; k < polynomials; ++k) {
    coefficients.push_back(-3 * uniform(generator));
    for (int i = 1; i < terms; ++i) {
      coefficients.push_back(uniform(generator));
    }
  }
  return Case{NewtonRoots{terms}, std::tuple{coefficients, 0.9}};
}

}  // namespace ddx::bench
