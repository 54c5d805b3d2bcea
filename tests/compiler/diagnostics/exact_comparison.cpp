// A branch that one value of an active real takes has a derivative of its own there.
#include "ddx/ad.h"

#include <cmath>

double sinc(double x) {
  // expected-warning@+1 {{'x == 0' holds at one value alone: there the derivative is that of the branch taken}}
  if (x == 0) {
    return 1;
  }
  return std::sin(x) / x;
}

double unless(double x, double y) {
  double s = x * y;
  // expected-warning@+1 {{'std::abs(s) != 1.0' fails at one value alone}}
  if (y > 0 && std::abs(s) != 1.0) {
    s *= x;
  }
  return s;
}

double selected(double x) {
  return 0.0 == x ? x : x * x;  // expected-warning {{'0.0 == x' holds at one value alone}}
}

double of_a_number(double x) {
  if (x) {  // expected-warning {{'x' fails at one value alone}}
    x *= x;
  }
  return x;
}

// None of these: integers, constants, steps, inequalities, what computes nothing active, and what is
// marked as meant.
double quiet(double x, double a, int n) {
  double s = x;
  int hits = 0;
  for (int i = 0; i != n; ++i) {
    if (i == 3 || n == 7) {
      s *= x;
    }
  }
  if (a == 0) {
    s += x;
  }
  if (std::floor(x) == 2.0) {
    s += x;
  }
  if (x <= 0) {
    s -= x;
  }
  if (x == 0) {
    ++hits;
  }
  if (ddx::without_derivative(x) == 0) {
    s *= 2;
  }
  return s * hits;
}

const auto a = ddx::gradient(sinc, 2.0);
const auto b = ddx::jvp(sinc, ddx::along(1.0), 2.0);  // One warning for both.
const auto c = ddx::gradient(unless, 2.0, 3.0);
const auto d = ddx::gradient(selected, 2.0);
const auto e = ddx::gradient([](double x) { return quiet(x, 0, 7); }, 2.0);
const auto f = ddx::hessian([](double x) { return std::sqrt(x) * std::pow(x, x); }, 0.5);  // Rules compare so, too.
const auto g = ddx::gradient(of_a_number, 0.5);
