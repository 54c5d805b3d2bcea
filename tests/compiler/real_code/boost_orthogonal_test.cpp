// Orthogonal polynomials of Boost.Math.

#include "gradient_check.h"

#include <boost/math/special_functions/chebyshev.hpp>
#include <boost/math/special_functions/hermite.hpp>
#include <boost/math/special_functions/laguerre.hpp>

namespace {

double boost_orthogonal(double a, double b) {
  return boost::math::hermite(4, a) * boost::math::laguerre(3, b) +
         boost::math::chebyshev_t(3, a * b);
}

DDX_CHECK_GRADIENT(boost_orthogonal, at(0.5, 0.7), at(0.1, 1.4), at(-0.3, 0.9))

}  // namespace
