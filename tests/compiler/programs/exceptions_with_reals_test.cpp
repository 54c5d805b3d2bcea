// Exceptions that carry reals: a step that fails throws its state, the handler computes with it.

#include "gradient_check.h"

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Diverged {
  double at;
  double residual;
};

class Negative : public std::runtime_error {
 public:
  explicit Negative(double value) : std::runtime_error("negative"), value_(value) {}
  [[nodiscard]] double value() const { return value_; }

 private:
  double value_;
};

double newton(double a, double start) {
  double x = start;
  for (int i = 0; i < 5; ++i) {
    const double residual = x * x * x - a;
    if (std::fabs(residual) > 20) {
      throw Diverged{0.5 * x + 0.1 * residual, residual};
    }
    if (x < 0) {
      throw Negative(x * a);
    }
    x -= residual / (3 * x * x);
  }
  return x;
}

double guarded(double a, double start) {
  try {
    return newton(a, start);
  } catch (const Diverged& failure) {
    return failure.at + std::log(1 + failure.residual * failure.residual);
  } catch (const std::exception& failure) {
    if (const auto* negative = dynamic_cast<const Negative*>(&failure)) {
      return std::sin(negative->value()) * start;
    }
    throw;
  }
}

double exceptions_with_reals(const std::vector<double>& starts, double a) {
  double sum = 0;
  for (const double s : starts) {
    double local = 0.1 * s;
    try {
      local += guarded(a, s);
      if (local > 3) {
        throw local * s;
      }
      sum += local;
    } catch (double large) {
      sum = 0.5 * sum + std::sqrt(large) + local;
    }
  }
  return sum;
}

DDX_CHECK_GRADIENT(exceptions_with_reals, at(std::vector{1.2, 4.0, -0.7, 0.6}, 1.9),
                   at(std::vector{-1.1, 0.9}, 2.7), at(std::vector{3.1, 1.4, 2.0}, 5.5))

}  // namespace
