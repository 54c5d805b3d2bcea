#include "tests/compiler/units/units.h"

namespace units {

namespace {

double cube(double x) {
  return x * x * x;
}

}  // namespace

double first_slope(double x) {
  return ddx::gradient(cube, x);
}

double slope_in_first(Function function, double x) {
  return ddx::gradient(function, x);
}

double square_slope_in_first(double x) {
  return ddx::gradient(shared_square, x);
}

double header_slopes_in_first(double x) {
  return slope_of(cube, x) + 100 * slope_behind(cube, x);
}

double other_operators_in_first(double x) {
  const auto back = ddx::pullback(cube, x);
  const double second = ddx::derivative([](double y) { return ddx::derivative(cube, y); }, x);
  return ddx::derivative(cube, x) + 100 * back(1.0) + 10000 * second;
}

}  // namespace units
