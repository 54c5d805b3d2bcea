// Quaternions of Boost.Math.

#include "gradient_check.h"

#include <boost/math/quaternion.hpp>

namespace {

double boost_quaternion(double a, double b) {
  const boost::math::quaternion<double> p(a, b, 1.0, 0.5);
  const boost::math::quaternion<double> q(b, 0.2, a * b, 1.0);
  const auto r = p * q * conj(p);
  return norm(r) + r.R_component_3();
}

DDX_CHECK_GRADIENT(boost_quaternion, at(0.5, 0.7), at(1.1, 2.4), at(0.3, 1.9))

}  // namespace
