// The normal distribution of Boost.Math.

#include "gradient_check.h"

#include <boost/math/distributions/normal.hpp>

namespace {

double boost_normal(double m, double s) {
  const boost::math::normal_distribution<double> d(m, s);
  return cdf(d, 0.7) + pdf(d, 0.2 * m);
}

DDX_CHECK_GRADIENT(boost_normal, at(0.5, 0.7), at(1.1, 2.4), at(-0.3, 1.9))

}  // namespace
