// The gradient of an ordinary function: a loop whose number of iterations depends on the argument.

#include <cmath>
#include <cstdio>
#include <ddx/ad.h>

double f(double x) {
  double y = 1;
  while (y < 100) {
    y = y * x + std::sin(x);
  }
  return y;
}

int main() {
  const double x = 3;
  const auto [value, slope] = ddx::value_with_gradient(f, x);
  std::printf("f(%g) = %.6f, f'(%g) = %.6f\n", x, value, x, slope);

  // Finite differences of f, for comparison.
  const double h = 1e-6;
  const double difference = (f(x + h) - f(x - h)) / (2 * h);
  std::printf("central difference: %.6f\n", difference);
  return std::abs(slope - difference) < 1e-5 ? 0 : 1;
}
