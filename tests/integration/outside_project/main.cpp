// Prints the slope of x^3 at 2 and the gradient of x * y + sin(x) at (0, 5), and checks both.

#include <cmath>
#include <cstdio>
#include <ddx/ddx.h>

namespace {

double cube(double x) {
  double power = 1;
  for (int i = 0; i < 3; ++i) {
    power *= x;
  }
  return power;
}

}  // namespace

int main() {
  const auto [value, slope] = ddx::value_with_gradient(cube, 2.0);
  const auto [dx, dy] =
      ddx::gradient([](double x, double y) { return x * y + std::sin(x); }, 0.0, 5.0);
  std::printf("cube: %g, slope: %g; gradient: %g, %g\n", value, slope, dx, dy);
  // By hand: 2^3 = 8 and 3 * 2^2 = 12; d/dx = y + cos(x) = 6 and d/dy = x = 0.
  return value == 8 && slope == 12 && dx == 6 && dy == 0 ? 0 : 1;
}
