#include "gradient_check.h"

#include <algorithm>
#include <cmath>

namespace {

double exponentials(double x) {
  return std::exp(x) + std::exp2(0.5 * x) + std::expm1(-x) * std::exp(-x * x);
}

double logarithms(double x) {
  return std::log(x) * std::log2(x) + std::log10(x) + std::log1p(x * x);
}

double circular(double x) {
  return std::sin(x) * std::cos(2 * x) + std::tan(0.5 * x);
}

double inverse_circular(double x, double y) {
  return std::asin(x) + std::acos(y) * std::atan(3 * x) + std::atan2(y, x + 2);
}

double hyperbolic(double x) {
  return std::sinh(x) / std::cosh(2 * x) + std::tanh(x) + std::asinh(x) + std::acosh(2 + x * x) +
         std::atanh(0.2 * x);
}

double powers(double x, double y) {
  return std::pow(x, y) + std::pow(x, 3) + std::pow(2.0, y) + std::sqrt(x) * std::cbrt(y);
}

double negative_base(double x) {
  return std::pow(x, 3) + std::pow(x, -2.0);
}

double distances(double x, double y, double z) {
  return std::hypot(x, y) * std::hypot(x, y, z) + std::fdim(x, y) * x;
}

double special(double x) {
  return std::erf(x) * std::erfc(0.5 * x) + std::lgamma(x + 3) + std::tgamma(x + 2.5);
}

double rounding_is_flat(double x) {
  return std::floor(x) * x + std::ceil(x) * x * x + std::trunc(x) * std::sin(x) +
         std::round(x) * std::cos(x);
}

double remainders(double x, double y) {
  return std::fmod(x, y) * x + std::remainder(x, y) * y;
}

double selections(double x, double y) {
  return std::fabs(x) * std::abs(y) + std::fmin(x, y * y) + std::fmax(2 * x, y);
}

double standard_selections(double x, double y) {
  return std::min(x * y, y) * std::max(x, 2.0) + std::clamp(x * y, -0.5, 0.5) * x;
}

double scaled(double x, double y) {
  return std::fma(x, y, x) + std::ldexp(x * x, 3) + std::scalbn(y, -2) * x + std::copysign(x, y);
}

double composed(double x) {
  return std::exp(std::sin(std::sqrt(1 + x * x)) / (1 + std::log(2 + std::cos(x))));
}

DDX_CHECK_GRADIENT(exponentials, at(-1.5), at(0.0), at(2.25))
DDX_CHECK_GRADIENT(logarithms, at(0.5), at(1.3), at(20.0))
DDX_CHECK_GRADIENT(circular, at(-1.5), at(0.0), at(2.25))
DDX_CHECK_GRADIENT(inverse_circular, at(0.5, 0.3), at(-0.6, 0.1), at(0.2, -0.7))
DDX_CHECK_GRADIENT(hyperbolic, at(-1.5), at(0.4), at(2.25))
DDX_CHECK_GRADIENT(powers, at(0.5, 0.3), at(1.6, 2.1), at(3.2, -0.7))
DDX_CHECK_GRADIENT(negative_base, at(-1.5), at(0.5), at(-0.7))
DDX_CHECK_GRADIENT(distances, at(0.5, 0.3, 1.0), at(-1.6, 2.1, -2.0), at(3.2, -0.7, 0.1))
DDX_CHECK_GRADIENT(special, at(-0.5), at(0.4), at(1.75))
DDX_CHECK_GRADIENT(rounding_is_flat, at(-1.6), at(0.3), at(2.25))
DDX_CHECK_GRADIENT(remainders, at(5.3, 2.1), at(-7.4, 3.1), at(0.4, 1.1))
DDX_CHECK_GRADIENT(selections, at(0.5, 0.9), at(-1.6, 2.1), at(3.2, -0.7))
DDX_CHECK_GRADIENT(standard_selections, at(0.5, 0.7), at(-1.6, 2.1), at(3.2, -0.7))
DDX_CHECK_GRADIENT(scaled, at(0.5, 0.7), at(-1.6, 2.1), at(3.2, -0.7))
DDX_CHECK_GRADIENT(composed, at(-1.5), at(0.4), at(2.25))

}  // namespace
