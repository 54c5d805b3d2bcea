// Implicit conversions between numbers: their values are those of the source wherever they are
// used.

#include "gradient_check.h"

#include <array>
#include <cmath>
#include <vector>

namespace {

double integer_from_real(double x, double y) {
  const int t = static_cast<int>(y * 10);
  int u = static_cast<int>(y * 7);
  u = u + t;
  return t * x + u * x * x;
}

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wfloat-conversion"
#pragma clang diagnostic ignored "-Wimplicit-int-conversion"
#pragma clang diagnostic ignored "-Wimplicit-int-float-conversion"
#pragma clang diagnostic ignored "-Wshorten-64-to-32"
#pragma clang diagnostic ignored "-Wsign-compare"
#pragma clang diagnostic ignored "-Wconversion"

double integer_from_real_implicitly(double x, double y) {
  int t = y * 10;
  const long u = 2.9 * y;
  return t * x + u * x * x;
}

double table_lookup(double x, double y) {
  const std::array<double, 4> table = {x, x * x, std::sin(x), 2 * x};
  int i = y * 3;
  const double w = y * 3 - i;
  return (1 - w) * table[i] + w * table[i + 1];
}

double integers_of_other_widths(double x, int n) {
  const unsigned char byte = n * 100;
  const unsigned wrapped = n - 8;
  const long long wide = n;
  const long long product = wide * 1000000000;
  const bool flag = n;
  return byte * x + wrapped * 1e-9 * x * x + product * 1e-9 * x + flag * x;
}

double division_by_integers(double x, int n) {
  const double t = n / 2;
  const float u = n / 3;
  return x / n + x / (n / 2) + std::pow(x, n / 2) / t + x / u + 1 / (x * (n / 3));
}

double bound_is_real(double x, int n) {
  double s = 0;
  for (int i = 0; i < x * n; ++i) {
    s += x * x * i;
  }
  return s;
}

double bound_is_an_integer_from_a_real(double x, double y) {
  int n = y * 10;
  double s = 0;
  for (int i = 0; i < n; ++i) {
    s += x * i;
  }
  return s * x;
}

double truth_of_a_real(double x, double y) {
  const bool b = y - 1;
  return (b ? x * x : x) + (!b) * x;
}

#pragma clang diagnostic pop

DDX_CHECK_GRADIENT(integer_from_real, at(2.0, 0.57), at(-1.5, 0.33), at(0.7, 0.08))
DDX_CHECK_GRADIENT(integer_from_real_implicitly, at(2.0, 0.57), at(-1.5, 0.33), at(0.7, 0.08))
DDX_CHECK_GRADIENT(table_lookup, at(2.0, 0.57), at(-1.5, 0.3), at(0.7, 0.88))
DDX_CHECK_GRADIENT(integers_of_other_widths, at(2.0, 5), at(-1.5, 3), at(0.7, 0))
DDX_CHECK_GRADIENT(division_by_integers, at(2.0, 5), at(1.5, 3), at(0.7, 11))
DDX_CHECK_GRADIENT(bound_is_real, at(2.05, 5), at(1.55, 3), at(0.72, 0))
DDX_CHECK_GRADIENT(bound_is_an_integer_from_a_real, at(2.0, 0.57), at(1.5, 0.33), at(0.7, 0.08))
// At y = 1 the function jumps: its gradient has no differences by y.
DDX_CHECK_GRADIENT_FIRST_ORDER(truth_of_a_real, at(2.0, 0.57), at(-1.5, 1.0), at(0.7, 0.08))

}  // namespace
