// Halley's iteration of Boost.Math: its function returns a tuple.

#include "gradient_check.h"

#include <boost/math/tools/roots.hpp>
#include <boost/math/tools/tuple.hpp>

namespace {

double boost_halley(double a, double b) {
  const auto f = [a, b](double x) {
    return boost::math::make_tuple(x * x * x + a * x - b, 3 * x * x + a, 6 * x);
  };
  return boost::math::tools::halley_iterate(f, 1.0, 0.0, 5.0, 45);
}

DDX_CHECK_GRADIENT(boost_halley, at(0.5, 0.7), at(1.1, 2.4), at(0.3, 1.9))

}  // namespace
