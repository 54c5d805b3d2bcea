// Functions that are evaluated together with their slopes, which the reverse sweep then only reads.

#include "gradient_check.h"

#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

namespace {

double both_of_one(double x) {
  return std::sin(x) * std::cos(x) + std::sin(x);
}

float in_float(float x) {
  return std::sin(x) - 0.5f * std::cos(2.0f * x);
}

double in_long_double(double x) {
  const long double wide = x;
  return static_cast<double>(std::cos(std::sin(wide) * wide));
}

float widened(float x) {
  return static_cast<float>(std::sin(static_cast<double>(x)) + ::cos(x));
}

double by_builtin(double x) {
  return __builtin_sin(x) + ::sin(x) * x;
}

/// The argument is gone when the slope is needed.
double overwritten(double x, double y) {
  const double s = std::sin(x);
  x = y * y;
  const double c = std::cos(x);
  x = 3;
  return s * c + x;
}

double in_a_loop(double x, int trips) {
  double sum = x;
  for (int i = 0; i < trips; ++i) {
    sum += std::sin(sum + i) * std::cos(x * i);
  }
  return sum;
}

double in_a_branch(double x, int mode) {
  double y = x;
  if (mode > 0) {
    y = std::sin(y) * y;
    if (mode > 1) {
      return std::cos(y);
    }
  }
  return y * y;
}

double unused(double x) {
  const double s = std::sin(x);
  (void)s;
  return x * x + 0 * std::cos(x);
}

/// Only the last of them counts.
double last_written(const std::vector<double>& x, double limit) {
  double found = 0;
  for (const double e : x) {
    if (e > limit) {
      found = std::sin(e);
    }
  }
  return found * found;
}

double recursive(double x, int depth) {
  return depth == 0 ? std::cos(x) : recursive(std::sin(x) + x, depth - 1) * std::cos(x * depth);
}

double in_elements(const std::vector<double>& x) {
  std::vector<double> y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    y[i] = std::cos(x[i]);
  }
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum += y[i] * y[x.size() - 1 - i];
    y[i] = 2;
  }
  return sum;
}

double in_a_lambda(double x, double w) {
  const auto f = [w](double t) { return std::sin(w * t) * w; };
  return f(x) + f(x * x);
}

double constant_argument(double x, double given) {
  return x * std::sin(0.5) + std::cos(std::floor(given)) * x;
}

}  // namespace

DDX_CHECK_GRADIENT(both_of_one, at(-1.0), at(0.0), at(2.0))
DDX_CHECK_GRADIENT_FLOAT(in_float, at(-1.0f), at(0.7f), at(0.0f))
DDX_CHECK_GRADIENT(in_long_double, at(-1.0), at(0.7), at(0.0))
DDX_CHECK_GRADIENT_FLOAT(widened, at(-1.0f), at(0.7f), at(0.0f))
DDX_CHECK_GRADIENT(by_builtin, at(-1.0), at(0.7), at(0.0))
DDX_CHECK_GRADIENT(overwritten, at(0.3, 0.7), at(-1.0, 2.0), at(2.0, 0.4))
DDX_CHECK_GRADIENT(in_a_loop, at(0.4, 0), at(0.4, 1), at(-0.7, 6))
DDX_CHECK_GRADIENT(in_a_branch, at(0.4, 0), at(0.4, 1), at(1.3, 2))
DDX_CHECK_GRADIENT(unused, at(0.4), at(-1.0), at(2.0))
DDX_CHECK_GRADIENT(last_written, at(std::vector{0.2, 1.5, 0.9}, 0.5),
                   at(std::vector{0.2, 0.1}, 0.5), at(std::vector<double>{}, 0.5))
DDX_CHECK_GRADIENT(recursive, at(0.4, 0), at(0.4, 3), at(-0.9, 2))
DDX_CHECK_GRADIENT(in_elements, at(std::vector{0.2, 1.5, 0.9}), at(std::vector<double>{}),
                   at(std::vector{0.3}))
DDX_CHECK_GRADIENT(in_a_lambda, at(0.4, 1.1), at(-0.4, 0.6), at(1.3, 0.8))
DDX_CHECK_GRADIENT(constant_argument, at(0.4, 1.5), at(0.4, -0.3), at(-2.0, 0.2))
