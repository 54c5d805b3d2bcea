// Root finders of Boost.Math: Newton, TOMS 748.

#include "gradient_check.h"

#include <boost/math/tools/roots.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <utility>

namespace {

double boost_newton(double a, double b) {
  const auto f = [a, b](double x) { return std::make_pair(x * x * x + a * x - b, 3 * x * x + a); };
  const double root = boost::math::tools::newton_raphson_iterate(f, 1.0, 0.0, 5.0, 40);
  return root * root + a * root;
}

double boost_toms748(double a, double b) {
  const auto f = [a, b](double x) { return x * x * x + a * x - b; };
  boost::uintmax_t most = 60;
  const auto [low, high] = boost::math::tools::toms748_solve(
      f, 0.0, 5.0, boost::math::tools::eps_tolerance<double>(40), most);
  return (low + high) / 2;
}

DDX_CHECK_GRADIENT(boost_newton, at(0.5, 0.7), at(1.1, 2.4), at(0.3, 1.9))
DDX_CHECK_GRADIENT(boost_toms748, at(0.5, 0.7), at(1.1, 2.4), at(0.3, 1.9))

}  // namespace
