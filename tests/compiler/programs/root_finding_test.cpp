// Newton's method that may fail and falls back on bisection: the result is optional.

#include "gradient_check.h"

#include <cmath>
#include <optional>

namespace {

template <class F, class D>
std::optional<double> newton(const F& f, const D& slope, double x) {
  for (int n = 0; n < 8; ++n) {
    const double value = f(x);
    if (std::fabs(value) < 1e-13) {
      return x;
    }
    const double d = slope(x);
    if (std::fabs(d) < 1e-3) {
      return std::nullopt;
    }
    x -= value / d;
    if (x < -5 || x > 5) {
      return {};
    }
  }
  return std::nullopt;
}

template <class F>
double bisection(const F& f, double low, double high) {
  while (high - low > 0.1) {
    const double middle = (low + high) / 2;
    (f(middle) < 0 ? low : high) = middle;
  }
  return low - f(low) * (high - low) / (f(high) - f(low));
}

double root_finding(double a, double b, double start) {
  const auto f = [&](double x) { return std::tanh(a * x) + b * x * x * x - 0.5; };
  const auto slope = [&](double x) {
    return a / (std::cosh(a * x) * std::cosh(a * x)) + 3 * b * x * x;
  };
  const std::optional<double> root = newton(f, slope, start);
  const double x = root ? *root : bisection(f, -a, 2 * a);
  return x * x + root.value_or(0.3 * x) * b;
}

DDX_CHECK_GRADIENT(root_finding, at(0.8, 0.3, 0.2), at(1.15, 0.5, 30.0), at(1.3, 0.05, -0.4))

}  // namespace
