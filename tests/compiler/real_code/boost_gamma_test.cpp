// Gamma functions of Boost.Math.

#include "gradient_check.h"

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/gamma.hpp>

namespace {

double boost_gamma(double a, double b) {
  return boost::math::lgamma(a) * b + boost::math::digamma(b) + boost::math::gamma_p(a, b);
}

DDX_CHECK_GRADIENT(boost_gamma, at(0.45, 0.7), at(1.1, 2.4), at(3.3, 1.9))

}  // namespace
