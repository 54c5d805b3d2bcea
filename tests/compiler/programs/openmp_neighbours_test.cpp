// OpenMP: each iteration reads its neighbours too, so iterations share cotangents of what they
// read.

#include "gradient_check.h"

#include <cmath>
#include <vector>

namespace {

double openmp_neighbours(const std::vector<double>& start, double stiffness) {
  const int n = static_cast<int>(start.size());
  std::vector<double> u = start;
  std::vector<double> next(start.size());
  for (int step = 0; step < 3; ++step) {
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < n; ++i) {
      const double left = u[i == 0 ? n - 1 : i - 1];
      const double right = u[i == n - 1 ? 0 : i + 1];
      next[i] = u[i] + 0.2 * stiffness * (std::sin(left - u[i]) + std::sin(right - u[i]));
    }
    u.swap(next);
  }
  double energy = 0;
#pragma omp parallel for reduction(+ : energy) num_threads(2)
  for (int i = 1; i < n; ++i) {
    energy += u[i] * u[i - 1] * stiffness;
  }
  return energy;
}

DDX_CHECK_GRADIENT(openmp_neighbours, at(std::vector{0.5, -0.2, 0.9, 0.1, 0.7}, 0.8),
                   at(std::vector{1.2, 0.3}, 0.5), at(std::vector{0.3, 0.6, -0.4, 1.1}, 1.3))

}  // namespace
