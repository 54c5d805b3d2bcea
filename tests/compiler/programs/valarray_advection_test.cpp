// Advection on std::valarray: whole-array arithmetic, cshift, slices and apply.

#include "gradient_check.h"

#include <cmath>
#include <valarray>

namespace {

double valarray_advection(double speed, double width, int steps) {
  const std::size_t n = 12;
  std::valarray<double> u(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double x = (static_cast<double>(i) - 4.5) / width;
    u[i] = std::exp(-x * x);
  }
  const double c = 0.3 * speed;
  for (int s = 0; s < steps; ++s) {
    const std::valarray<double> upwind = u.cshift(-1);
    u = u - c * (u - upwind);
    u *= 0.99;
  }
  const std::valarray<double> even = u[std::slice(0, n / 2, 2)];
  const std::valarray<double> odd = u[std::slice(1, n / 2, 2)];
  u[std::slice(0, 3, 4)] = odd[std::slice(0, 3, 2)];
  const std::valarray<double> waves = std::sin(u) + even.sum();
  return (even * odd).sum() + 0.1 * waves.sum() + u.apply([](double v) { return v * v; }).sum();
}

DDX_CHECK_GRADIENT(valarray_advection, at(0.8, 2.0, 5), at(1.4, 1.1, 3), at(0.3, 3.1, 1))

}  // namespace
