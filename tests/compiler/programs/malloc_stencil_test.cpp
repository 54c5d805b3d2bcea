// The heat equation in C: two buffers from calloc and malloc, exchanged after each step, then
// freed.

#include "gradient_check.h"

#include <cmath>
#include <cstddef>
#include <cstdlib>

namespace {

void step(const double* u, double* next, int n, double ratio) {
  next[0] = u[0];
  next[n - 1] = u[n - 1];
  for (int i = 1; i < n - 1; ++i) {
    next[i] = u[i] + ratio * (u[i - 1] - 2 * u[i] + u[i + 1]);
  }
}

double malloc_stencil(double diffusivity, double peak, int steps) {
  const int n = 9;
  const std::size_t bytes = n * sizeof(double);
  auto* u = static_cast<double*>(std::calloc(n, sizeof(double)));
  auto* next = static_cast<double*>(std::malloc(bytes));
  if (u == nullptr || next == nullptr) {
    std::free(u);
    std::free(next);
    return 0;
  }
  u[n / 2] = peak;
  u[1] = 0.3 * peak * diffusivity;
  for (int s = 0; s < steps; ++s) {
    step(u, next, n, 0.4 * diffusivity / (1 + 0.1 * s));
    double* const old = u;
    u = next;
    next = old;
  }
  double energy = 0;
  for (const double* p = u; p != u + n; ++p) {
    energy += *p * *p;
  }
  std::free(next);
  std::free(u);
  return std::sqrt(energy);
}

DDX_CHECK_GRADIENT(malloc_stencil, at(0.5, 1.2, 7), at(0.9, -0.8, 4), at(0.2, 2.0, 1))

}  // namespace
