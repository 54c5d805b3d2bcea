#include "gradient_check.h"

#include <cmath>

namespace {

double polynomial(double x) {
  return 3 * x * x * x - 2 * x * x + x - 7;
}

double quotient(double x, double y) {
  return (x * x + 1) / (y * y + x + 3);
}

double signs(double x, double y) {
  return -x * +y - -(x - -y);
}

double compound_assignments(double x, double y) {
  double s = x;
  s += y * y;
  s -= x / (y + 4);
  s *= s + 1;
  s /= x * x + 2;
  return s;
}

double chained_assignment(double x) {
  double a = 0;
  double b = 0;
  double c = 1;
  a = b = c = x * x;
  a += b *= c;
  return a * b + c;
}

double compound_result_used(double x, double y) {
  double a = x;
  const double sum = 2 * (a += y);
  const double scaled = (a *= x) + 1;
  return sum * scaled + a;
}

double floating_increments(double x) {
  double y = x;
  const double old = y++;
  const double now = ++y;
  const double before = y--;
  --y;
  return old * now + before * y;
}

/// What the assigned variable held before was used: nothing of the new value may reach it.
double old_value_stored(double x) {
  double y = x * 3;
  double z = x;
  const double square = z * z;
  z = y++;
  return square + z * y;
}

double comma_operator(double x) {
  double a = x;
  const double b = (a *= 2, a += 1, a * x);
  return a += b, b * a;
}

double constants_and_folding(double x) {
  constexpr double half = 1.0 / 2.0;
  const double unused = std::exp(x);
  const double zero = 0;
  return (half + half) * x + zero * unused + 2.0f * x;
}

double overwritten_before_use(double x, double y) {
  double a = x * y;
  a = std::sin(y);
  return a * x;
}

double overwritten_after_use(double x, double y) {
  double a = x * y;
  const double b = a * a;
  a = std::cos(x) + a;
  const double c = a * b;
  a = y;
  return a * c + b;
}

double self_product(double x) {
  x *= x;
  x = x * x + x;
  return x / (x + x * x + 1);
}

double unused_computation(double x, double y) {
  double dead = x * y;
  dead = std::log(x * x + 1) * dead;
  return x + 2 * y;
}

double one_input_without_effect(double x, double y) {
  const double cancelled = y - y;
  return x * x + cancelled;
}

DDX_CHECK_GRADIENT(polynomial, at(-1.5), at(0.0), at(2.25))
DDX_CHECK_GRADIENT(quotient, at(0.5, 1.5), at(-1.0, 0.0), at(3.0, -2.0))
DDX_CHECK_GRADIENT(signs, at(0.5, 1.5), at(-1.0, 0.0), at(3.0, -2.0))
DDX_CHECK_GRADIENT(compound_assignments, at(0.5, 1.5), at(-1.0, 0.3), at(2.0, -1.2))
DDX_CHECK_GRADIENT(chained_assignment, at(-1.5), at(0.3), at(1.25))
DDX_CHECK_GRADIENT(compound_result_used, at(0.5, 1.5), at(-1.0, 0.3), at(2.0, -1.2))
DDX_CHECK_GRADIENT(floating_increments, at(-1.5), at(0.3), at(1.25))
DDX_CHECK_GRADIENT(old_value_stored, at(-1.5), at(0.3), at(1.25))
DDX_CHECK_GRADIENT(comma_operator, at(-1.5), at(0.3), at(1.25))
DDX_CHECK_GRADIENT(constants_and_folding, at(-1.5), at(0.3), at(1.25))
DDX_CHECK_GRADIENT(overwritten_before_use, at(0.5, 1.5), at(-1.0, 0.3), at(2.0, -1.2))
DDX_CHECK_GRADIENT(overwritten_after_use, at(0.5, 1.5), at(-1.0, 0.3), at(2.0, -1.2))
DDX_CHECK_GRADIENT(self_product, at(0.5), at(-1.5), at(2.0))
DDX_CHECK_GRADIENT(unused_computation, at(0.5, 1.5), at(-1.0, 0.3), at(2.0, -1.2))
DDX_CHECK_GRADIENT(one_input_without_effect, at(0.5, 1.5), at(-1.0, 0.3), at(2.0, -1.2))

}  // namespace
