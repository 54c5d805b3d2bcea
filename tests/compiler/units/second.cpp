#include "tests/compiler/units/units.h"

namespace units {

namespace {

/// Not that of the first source, which has the same name.
double cube(double x) {
  return 2 * x * x * x;
}

}  // namespace

double second_slope(double x) {
  return ddx::gradient(cube, x);
}

Function function_of_second() {
  return cube;
}

double square_slope_in_second(double x) {
  return ddx::gradient(shared_square, x);
}

double header_slopes_in_second(double x) {
  return slope_of(cube, x) + 100 * slope_behind(cube, x);
}

double other_operators_in_second(double x) {
  const auto back = ddx::pullback(cube, x);
  const double second = ddx::derivative([](double y) { return ddx::derivative(cube, y); }, x);
  return ddx::derivative(cube, x) + 100 * back(1.0) + 10000 * second;
}

ddx::differentiable<double(double)> made_in_second(double factor) {
  return [factor](double x) { return factor * cube(x); };
}

}  // namespace units
