#include "gradient_check.h"

namespace {

double conditional_lvalue(double x, double y, bool first) {
  double a = x;
  double b = y * y;
  (first ? a : b) *= 3 * x;
  return a * b;
}

double nested_arms(double x, double y) {
  double a = x;
  double b = y;
  a = x > 1 ? (y > 1 ? a : b) : y;
  return a * (x < 0 ? b : y < 0 ? x : a);
}

DDX_CHECK_GRADIENT(conditional_lvalue, at(1.7, 2.0, true), at(-0.5, -1.0, false),
                   at(1.6, 0.3, true))
DDX_CHECK_GRADIENT(nested_arms, at(1.7, 2.0), at(-0.5, -1.0), at(1.6, 0.3), at(0.6, -0.3))

}  // namespace
