// The polynomial class of Boost.Math.

#include "gradient_check.h"

#include <boost/math/tools/polynomial.hpp>

namespace {

double boost_polynomial(double a, double b) {
  const boost::math::tools::polynomial<double> p{{a, b, 1.0}};
  const boost::math::tools::polynomial<double> q = p * p;
  return q.evaluate(0.5 * a);
}

DDX_CHECK_GRADIENT(boost_polynomial, at(0.5, 0.7), at(1.1, 2.4), at(0.3, 1.9))

}  // namespace
