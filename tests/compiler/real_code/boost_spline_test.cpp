// A B-spline of Boost.Math.

#include "gradient_check.h"

#include <boost/math/interpolators/cubic_b_spline.hpp>
#include <vector>

namespace {

double boost_spline(double a, double b) {
  std::vector<double> y{a, b, a * b, 1.0, 0.3 * a, 0.7, b};
  const boost::math::cubic_b_spline<double> s(y.data(), y.size(), 0.0, 0.5);
  return s(0.8) * s.prime(1.3);
}

DDX_CHECK_GRADIENT(boost_spline, at(0.5, 0.7), at(1.1, 2.4), at(0.3, 1.9))

}  // namespace
