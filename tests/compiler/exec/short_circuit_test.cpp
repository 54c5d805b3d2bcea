#include "gradient_check.h"

#include <cmath>

namespace {

/// Scales `a` and says whether it became large: a condition with an effect.
bool scale(double& a, double by) {
  a *= by;
  return a > 2;
}

double and_with_effect(double x, double y) {
  double s = x;
  if (x > 0 && scale(s, y)) {
    s += x;
  }
  return s * s;
}

double or_with_effect(double x, double y) {
  double s = x;
  if (x > 1 || scale(s, y)) {
    s *= s;
  }
  return s + y;
}

double effects_in_both_sides(double x, double y) {
  double s = x;
  const bool both = scale(s, x) && scale(s, y);
  return both ? s : s * s;
}

double mixed_connectives(double x, double y) {
  double s = 1;
  if ((x > 0 && y > 0) || (x < 0 && !(y > 0))) {
    s = x * y;
  }
  if (!(x > y || y > 3)) {
    s += y;
  }
  return s * x;
}

double loop_condition_with_effect(double x, int n) {
  double s = 1;
  int i = 0;
  while (i++ < n && !scale(s, x)) {
    s += 0.25 * x;
  }
  return s;
}

double conditional_value(double x, double y) {
  return (x > y ? x * x : y) * (x < 0 ? -x : std::sqrt(x + 1));
}

double nested_conditional(double x) {
  return x < 0 ? -x : x < 1 ? x * x : x < 2 ? 2 * x - 1 : std::log(x);
}

double conditional_with_assignment(double x, double y) {
  double a = x;
  double b = y;
  const double r = x > y ? (a = y * y) : (b += x);
  return r * a * b;
}

double conditional_call_argument(double x, double y) {
  return std::pow(x > 0 ? x : 1 - x, y > 1 ? 2.0 : y + 3);
}

double guarded_division(double x, double y) {
  const bool safe = y != 0 && x / y > 1;
  return safe ? x / y : x * y;
}

DDX_CHECK_GRADIENT(and_with_effect, at(1.5, 2.0), at(-0.5, 1.0), at(0.75, 1.2))
DDX_CHECK_GRADIENT(or_with_effect, at(1.5, 2.0), at(-0.5, 1.0), at(0.75, 4.0))
DDX_CHECK_GRADIENT(effects_in_both_sides, at(1.7, 2.0), at(-0.5, 1.0), at(1.6, 0.3))
DDX_CHECK_GRADIENT(mixed_connectives, at(1.7, 2.0), at(-0.5, -1.0), at(1.6, 3.3), at(1.0, -2.0))
DDX_CHECK_GRADIENT(loop_condition_with_effect, at(1.7, 9), at(0.5, 3), at(1.6, 0))
DDX_CHECK_GRADIENT(conditional_value, at(1.7, 2.0), at(-0.5, -1.0), at(1.6, 0.3))
DDX_CHECK_GRADIENT(nested_conditional, at(-1.7), at(0.5), at(1.6), at(4.0))
DDX_CHECK_GRADIENT(conditional_with_assignment, at(1.7, 2.0), at(-0.5, -1.0), at(1.6, 0.3))
DDX_CHECK_GRADIENT(conditional_call_argument, at(1.7, 2.0), at(-0.5, -1.0), at(1.6, 0.3))
DDX_CHECK_GRADIENT(guarded_division, at(1.7, 2.0), at(-0.5, -0.3), at(1.6, 0.3))

}  // namespace
