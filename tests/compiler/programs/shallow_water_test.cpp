// Shallow water on a ring: a struct of vectors, Lax-Friedrichs fluxes, periodic indices.

#include "gradient_check.h"

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace {

struct Water {
  std::vector<double> height;
  std::vector<double> discharge;
  DDX_DIFFERENTIABLE(Water, height, discharge)

  explicit Water(std::size_t cells = 0) : height(cells), discharge(cells) {}
  [[nodiscard]] std::size_t size() const { return height.size(); }
};

std::pair<double, double> flux(double h, double q, double gravity) {
  return {q, q * q / h + 0.5 * gravity * h * h};
}

void step(Water& w, double ratio, double gravity) {
  const std::size_t n = w.size();
  Water next(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t l = (i + n - 1) % n;
    const std::size_t r = (i + 1) % n;
    const auto [left_mass, left_momentum] = flux(w.height[l], w.discharge[l], gravity);
    const auto [right_mass, right_momentum] = flux(w.height[r], w.discharge[r], gravity);
    next.height[i] = 0.5 * (w.height[l] + w.height[r]) - 0.5 * ratio * (right_mass - left_mass);
    next.discharge[i] =
        0.5 * (w.discharge[l] + w.discharge[r]) - 0.5 * ratio * (right_momentum - left_momentum);
  }
  w = std::move(next);
}

double shallow_water(double bump, double gravity, double ratio, int steps) {
  Water w(8);
  for (std::size_t i = 0; i < w.size(); ++i) {
    const double angle =
        2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(w.size());
    w.height[i] = 1 + bump * std::exp(std::cos(angle));
    w.discharge[i] = 0.1 * bump * std::sin(angle);
  }
  double gauge = 0;
  for (int n = 0; n < steps; ++n) {
    step(w, ratio, gravity);
    gauge = 0.8 * gauge + w.height[3] * w.discharge[5] + w.height[0];
  }
  return gauge + w.height[2];
}

DDX_CHECK_GRADIENT(shallow_water, at(0.2, 1.0, 0.3, 5), at(0.1, 2.0, 0.2, 4), at(0.3, 0.5, 0.4, 0))

}  // namespace
