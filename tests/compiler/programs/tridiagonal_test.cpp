// Crank-Nicolson for an option: the Thomas algorithm in every step, on spans of one workspace.

#include "gradient_check.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace {

void thomas(std::span<const double> low, std::span<double> diagonal, std::span<const double> high,
            std::span<double> x) {
  const std::size_t n = x.size();
  for (std::size_t i = 1; i < n; ++i) {
    const double w = low[i] / diagonal[i - 1];
    diagonal[i] -= w * high[i - 1];
    x[i] -= w * x[i - 1];
  }
  x[n - 1] /= diagonal[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) {
    x[i] = (x[i] - high[i] * x[i + 1]) / diagonal[i];
  }
}

double tridiagonal(double volatility, double rate, double strike) {
  const std::size_t n = 12;
  const double ds = 0.2;
  const double dt = 0.1;
  std::vector<double> workspace(4 * n);
  const std::span<double> all(workspace);
  const auto low = all.subspan(0, n);
  const auto diagonal = all.subspan(n, n);
  const auto high = all.subspan(2 * n, n);
  const auto value = all.last(n);
  for (std::size_t i = 0; i < n; ++i) {
    value[i] = std::max(ds * static_cast<double>(i) - strike, 0.0);
  }
  for (int step = 0; step < 5; ++step) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto k = static_cast<double>(i);
      const double diffusion = 0.5 * volatility * volatility * k * k;
      low[i] = -dt * (diffusion - 0.5 * rate * k);
      high[i] = -dt * (diffusion + 0.5 * rate * k);
      diagonal[i] = 1 + dt * (2 * diffusion + rate);
    }
    thomas(low, diagonal, high, value);
  }
  return value[6] + value[3] * value[8];
}

DDX_CHECK_GRADIENT(tridiagonal, at(0.3, 0.05, 1.03), at(0.4, 0.02, 0.77), at(0.2, 0.1, 1.31))

}  // namespace
