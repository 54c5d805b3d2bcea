// Special functions of Boost.Math, through their own series and fits.

#include "gradient_check.h"

#include <boost/math/interpolators/catmull_rom.hpp>
#include <boost/math/special_functions/bessel.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/ellint_2.hpp>
#include <boost/math/special_functions/lambert_w.hpp>
#include <boost/math/special_functions/legendre.hpp>
#include <boost/math/special_functions/sinc.hpp>
#include <boost/math/tools/rational.hpp>

namespace {

double boost_legendre(double a, double b) {
  const double c[4] = {a, b, a * b, 1.0};
  return boost::math::tools::evaluate_polynomial(c, b) + boost::math::legendre_p(3, a);
}

double boost_bessel(double a) {
  return boost::math::cyl_bessel_j(0, a) * a;
}

double boost_elliptic(double k, double phi) {
  return boost::math::ellint_1(k, phi) + boost::math::ellint_2(k) * phi;
}

double boost_lambert(double a, double b) {
  return boost::math::lambert_w0(a) * b;
}

DDX_CHECK_GRADIENT(boost_legendre, at(0.5, 0.7), at(0.1, 2.4), at(-0.3, 1.9))
DDX_CHECK_GRADIENT(boost_bessel, at(0.5), at(2.1), at(5.3))
DDX_CHECK_GRADIENT(boost_elliptic, at(0.5, 0.7), at(0.1, 1.4), at(0.3, 0.9))
DDX_CHECK_GRADIENT(boost_lambert, at(0.5, 0.7), at(1.1, 2.4), at(0.3, 1.9))

}  // namespace
