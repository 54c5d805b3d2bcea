// Adaptive Simpson quadrature by recursion, the integrand any callable.

#include "gradient_check.h"

#include <cmath>

namespace {

template <class F>
double simpson(const F& f, double a, double b) {
  return (b - a) / 6 * (f(a) + 4 * f((a + b) / 2) + f(b));
}

template <class F>
double adaptive(const F& f, double a, double b, double whole, double tolerance, int depth) {
  const double middle = (a + b) / 2;
  const double left = simpson(f, a, middle);
  const double right = simpson(f, middle, b);
  const double difference = left + right - whole;
  if (depth == 0 || std::fabs(difference) < 15 * tolerance) {
    return left + right + difference / 15;
  }
  return adaptive(f, a, middle, left, tolerance / 2, depth - 1) +
         adaptive(f, middle, b, right, tolerance / 2, depth - 1);
}

double quadrature(double decay, double frequency, double end) {
  const auto integrand = [=](double t) {
    return std::exp(-decay * t) * std::sin(frequency * t * t) / (0.2 + t * t);
  };
  const double whole = simpson(integrand, 0, end);
  const double area = adaptive(integrand, 0, end, whole, 1e-4, 6);
  return area * area + end * area;
}

DDX_CHECK_GRADIENT(quadrature, at(0.5, 1.7, 0.9), at(1.1, 0.4, 2.3), at(0.2, 2.1, 1.6))

}  // namespace
