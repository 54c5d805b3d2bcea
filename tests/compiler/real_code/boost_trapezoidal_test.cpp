// Quadrature of Boost.Math.

#include "gradient_check.h"

#include <boost/math/quadrature/trapezoidal.hpp>

namespace {

double boost_trapezoidal(double a, double b) {
  const auto f = [a](double t) { return std::exp(a * std::cos(t)); };
  return boost::math::quadrature::trapezoidal(f, 0.0, b, 1e-3, 6);
}

DDX_CHECK_GRADIENT(boost_trapezoidal, at(0.5, 0.7), at(1.1, 2.4), at(0.3, 1.9))

}  // namespace
