// OpenMP: reductions by + and max, private and firstprivate, a critical section.

#include "gradient_check.h"

#include <cmath>
#include <vector>

namespace {

double openmp_reductions(const std::vector<double>& x, double scale) {
  const int n = static_cast<int>(x.size());
  std::vector<double> y(x.size());
  double sum = 0;
  double work = 0;
#pragma omp parallel for private(work) reduction(+ : sum) num_threads(2)
  for (int i = 0; i < n; ++i) {
    work = std::sin(scale * x[i]);
    y[i] = work * work;
    sum += y[i] * x[i];
  }
  double largest = y[0];
#pragma omp parallel for reduction(max : largest) num_threads(2)
  for (int i = 0; i < n; ++i) {
    largest = y[i] > largest ? y[i] : largest;
  }
  double offset = 0.5 * scale;
  double total = 0;
#pragma omp parallel firstprivate(offset) num_threads(2)
  {
    double local = 0;
#pragma omp for schedule(static)
    for (int i = 0; i < n; ++i) {
      offset *= 1;
      local += std::exp(-y[i]) * offset;
    }
#pragma omp critical
    total += local;
  }
  return sum * largest + total;
}

DDX_CHECK_GRADIENT(openmp_reductions, at(std::vector{0.5, -0.2, 0.9, 0.1, 0.7}, 0.8),
                   at(std::vector{1.2}, 0.5), at(std::vector{0.3, 0.6, -0.4, 1.1}, 1.3))

}  // namespace
