/// \file
/// Vectors by value and by reference, overwritten elements, a length that depends on the data.

#pragma once

#include "programs/case.h"

#include <cstddef>
#include <random>
#include <tuple>
#include <vector>

namespace ddx::bench {

template <class T>
std::vector<T> filtered(const std::vector<T>& a, std::vector<T> b, const T& weight) {
  std::vector<T> out;
  for (std::size_t i = 0; i < a.size(); ++i) {
    b[i] = b[i] * b[i] * weight + a[i];
    if (b[i] > 0.5) {
      out.push_back(b[i] * a[i]);
    }
  }
  for (std::size_t i = 1; i < b.size(); ++i) {
    b[i] = b[i] + 0.5 * b[i - 1];
  }
  for (std::size_t i = 0; i < b.size(); ++i) {
    out.push_back(b[i]);
  }
  return out;
}

/// The squared length of the filtered vector.
struct FilteredEnergy {
  template <class T>
  T operator()(const std::vector<T>& a, const std::vector<T>& b, const T& weight) const {
    const std::vector<T> out = filtered(a, b, weight);
    T sum = 0;
    for (const T& v : out) {
      sum += v * v;
    }
    return sum;
  }
};

inline auto vectors_case(int count) {
  std::mt19937 generator(2);
  std::normal_distribution<double> normal;
  std::vector<double> a(static_cast<std::size_t>(count));
  std::vector<double> b(a.size());
  for (double& v : a) {
    v = 0.3 * normal(generator);
  }
  for (double& v : b) {
    v = normal(generator);
  }
  return Case{FilteredEnergy{}, std::tuple{a, b, 0.7}};
}

}  // namespace ddx::bench
