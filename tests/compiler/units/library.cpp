// Of a shared library.

#include "tests/compiler/units/units.h"

namespace units {

namespace {

double cube(double x) {
  return 5 * x * x * x;
}

}  // namespace

double library_slope(double x) {
  return ddx::gradient(cube, x);
}

double slope_in_library(Function function, double x) {
  return ddx::gradient(function, x);
}

Function function_of_library() {
  return cube;
}

}  // namespace units
