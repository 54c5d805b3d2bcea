// Function-try-blocks, of functions and of a constructor, which translate failures with reals.

#include "gradient_check.h"

#include <cmath>
#include <vector>

namespace {

struct Failure {
  double amount;
};

double checked_root(double x) {
  if (x < 0) {
    throw Failure{-x};
  }
  return std::sqrt(x);
}

class Axis {
 public:
  Axis(double start, double scale) try : origin_(start), unit_(checked_root(scale)) {
  } catch (Failure& f) {
    f.amount *= 1 + start * start;
  }
  [[nodiscard]] double map(double x) const { return origin_ + unit_ * x; }

 private:
  double origin_;
  double unit_;
};

double mapped(double start, double scale, double x) try {
  const Axis axis(start, scale);
  return axis.map(x);
} catch (const Failure& f) {
  return f.amount * std::cos(x);
}

double function_try_blocks(const std::vector<double>& scales, double start, double x) {
  double y = x;
  for (const double s : scales) {
    y = 0.7 * y + mapped(start * y, s, x);
  }
  return y;
}

DDX_CHECK_GRADIENT(function_try_blocks, at(std::vector{0.5, -0.2, 0.9}, 0.8, 0.4),
                   at(std::vector{-1.2}, -0.5, 1.1),
                   at(std::vector{0.3, 0.6, -0.4, 1.1}, 0.6, -0.3))

}  // namespace
