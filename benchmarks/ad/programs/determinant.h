/// \file
/// A determinant by expansion in minors, as in CppAD's and GradBench's `det`.

#pragma once

#include "programs/case.h"

#include <cstddef>
#include <random>
#include <tuple>
#include <vector>

namespace ddx::bench {

/// The determinant of the last `n` rows of the `size` by `size` matrix `a` in the columns that the
/// linked list `next` runs through from `next[size]` on.
template <class T>
T minor_of(const std::vector<T>& a, int size, int n, std::vector<int>& next) {
  const int row = size - n;
  int before = size;
  int column = next[before];
  if (n == 1) {
    return a[row * size + column];
  }
  T sum = 0;
  double sign = 1;
  for (int j = 0; j < n; ++j) {
    next[before] = next[column];
    sum += sign * a[row * size + column] * minor_of(a, size, n - 1, next);
    next[before] = column;
    before = column;
    column = next[column];
    sign = -sign;
  }
  return sum;
}

struct DeterminantByMinors {
  int size = 0;

  template <class T>
  T operator()(const std::vector<T>& a) const {
    std::vector<int> next(static_cast<std::size_t>(size) + 1);
    for (int column = 0; column < size; ++column) {
      next[column] = column + 1;
    }
    next[size] = 0;
    return minor_of(a, size, size, next);
  }
};

inline auto determinant_case(int size) {
  std::mt19937 generator(17);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> a(static_cast<std::size_t>(size * size));
  for (double& v : a) {
    v = uniform(generator);
  }
  return Case{DeterminantByMinors{size}, std::tuple{a}};
}

}  // namespace ddx::bench
