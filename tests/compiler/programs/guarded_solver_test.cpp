// A solver that throws on bad input, and a caller that catches and falls back.

#include "gradient_check.h"

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

double quadratic_root(double a, double b, double c) {
  if (a == 0) {
    throw std::invalid_argument("not quadratic");
  }
  const double discriminant = b * b - 4 * a * c;
  if (discriminant < 0) {
    throw std::domain_error("no real root for c = " + std::to_string(c));
  }
  return (-b + std::sqrt(discriminant)) / (2 * a);
}

double guarded_solver(double a, double b, const std::vector<double>& cs) {
  double s = 0;
  int failures = 0;
  for (const double c : cs) {
    try {
      const double root = quadratic_root(a, b, c);
      s = 0.8 * s + root * root;
    } catch (const std::domain_error& e) {
      ++failures;
      s += 0.1 * a * b;
    }
  }
  return s + failures * b;
}

DDX_CHECK_GRADIENT(guarded_solver, at(1.0, 2.0, std::vector{0.5, 3.0, -1.0}),
                   at(0.5, 1.0, std::vector{0.2}), at(2.0, -1.0, std::vector{5.0, 0.05}))

}  // namespace
