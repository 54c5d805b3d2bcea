// A derivative written by hand. The root of an equation is found by iteration, but its derivative
// follows from the equation itself (the implicit function theorem) and costs only one division.

#include <cmath>
#include <cstdio>
#include <ddx/ad.h>

/// Returns y with y + exp(y) = x.
double root(double x) {
  double y = 0;
  for (int i = 0; i < 100; ++i) {
    const double change = (y + std::exp(y) - x) / (1 + std::exp(y));
    y -= change;
    if (std::abs(change) < 1e-15) {
      break;
    }
  }
  return y;
}

// Primal:  y + exp(y) = x
// Adjoint: adj[x] += adj[y] / (1 + exp(y))
// Saves:   y
DDX_DERIVATIVE_OF(root) auto root_vjp(double x) {
  const double y = root(x);
  return ddx::vjp(y, [y](double dy) { return dy / (1 + std::exp(y)); });
}

double energy(double x, double stiffness) {
  const double y = root(x * stiffness);
  return y * y + stiffness * x;
}

int main() {
  const auto [value, slopes] = ddx::value_with_gradient(energy, 2.0, 1.5);
  const auto [by_x, by_stiffness] = slopes;
  std::printf("energy %.9f, by x %.9f, by stiffness %.9f\n", value, by_x, by_stiffness);

  const double h = 1e-6;
  const double difference = (energy(2.0 + h, 1.5) - energy(2.0 - h, 1.5)) / (2 * h);
  std::printf("central difference by x: %.9f\n", difference);
  return std::abs(by_x - difference) < 1e-8 ? 0 : 1;
}
