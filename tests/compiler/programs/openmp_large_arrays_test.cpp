// Parallel loops over arrays of several pages: the sweeps of two threads share those at the ends of
// their parts.

#include "gradient_check.h"

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace {

constexpr int threads = 2;  // Sums of two parts do not depend on their order.

double openmp_large_arrays(const std::vector<double>& x) {
  constexpr int size = 4097;
  std::vector<double> now(size);
  std::vector<double> next(size);
#pragma omp parallel for num_threads(threads)
  for (int i = 0; i < size; ++i) {
    now[i] = x[0] * std::sin(0.01 * i) + x[1] * std::cos(0.02 * i);
  }
  for (int step = 0; step < 3; ++step) {
    next[0] = now[0];
    next[size - 1] = x[2] * now[size - 1];
#pragma omp parallel for num_threads(threads)
    for (int i = 1; i < size - 1; ++i) {
      next[i] = now[i] + 0.1 * (now[i - 1] - 2 * now[i] + now[i + 1]) * now[i];
    }
    std::swap(now, next);
  }
  double sum = 0;
#pragma omp parallel num_threads(threads)
  {
#pragma omp for
    for (int i = 0; i < size; ++i) {
      next[size - 1 - i] = now[i] * x[2];  // Other threads' parts.
    }
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < size; ++i) {
      sum += next[i] * now[i] / size;
    }
  }
  return sum;
}

}  // namespace

DDX_CHECK_GRADIENT(openmp_large_arrays, at(std::vector{0.7, 0.4, 1.2}),
                   at(std::vector{-0.3, 0.9, 0.5}), at(std::vector{1.1, -0.6, 0.8}))
