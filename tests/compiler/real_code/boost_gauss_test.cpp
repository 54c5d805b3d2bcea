// Gauss quadrature of Boost.Math.

#include "gradient_check.h"

#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/quadrature/trapezoidal.hpp>

namespace {

double boost_gauss(double a, double b) {
  const auto f = [a](double t) { return std::exp(-a * t) * std::sin(t); };
  return boost::math::quadrature::gauss<double, 7>::integrate(f, 0.0, b);
}

DDX_CHECK_GRADIENT(boost_gauss, at(0.5, 0.7), at(1.1, 2.4), at(0.3, 1.9))

}  // namespace
