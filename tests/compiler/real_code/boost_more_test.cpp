// Distributions, integrals and interpolations of Boost.Math.

#include "gradient_check.h"

#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/exponential.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/logistic.hpp>
#include <boost/math/distributions/weibull.hpp>
#include <boost/math/interpolators/barycentric_rational.hpp>
#include <boost/math/interpolators/makima.hpp>
#include <boost/math/interpolators/pchip.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/quadrature/tanh_sinh.hpp>
#include <cmath>
#include <vector>

namespace {

double densities(double a, double b) {
  const boost::math::weibull_distribution<> weibull(1 + a, b);
  const boost::math::exponential_distribution<> exponential(b);
  const boost::math::logistic_distribution<> logistic(a, b);
  return pdf(weibull, 0.8) + cdf(weibull, a) + cdf(exponential, a) + pdf(logistic, 0.3) +
         quantile(logistic, 0.2 + 0.1 * a) + mean(exponential);
}
DDX_CHECK_GRADIENT(densities, at(0.5, 0.7), at(1.1, 0.4), at(0.3, 1.2))

double gamma_and_beta(double a, double b) {
  const boost::math::gamma_distribution<> gamma(1.3, b);
  const boost::math::beta_distribution<> beta(2.2, 1.7);
  return pdf(gamma, a) + cdf(gamma, a + 0.1) + pdf(beta, 0.5 * a) + cdf(beta, 0.3 + 0.1 * b);
}
DDX_CHECK_GRADIENT(gamma_and_beta, at(0.5, 0.7), at(1.1, 0.4), at(0.3, 1.2))

double kronrod(double a, double b) {
  const auto f = [a, b](double x) { return std::exp(-a * x * x) * std::cos(b * x); };
  return boost::math::quadrature::gauss_kronrod<double, 15>::integrate(f, 0.0, 1.0 + a, 0);
}
DDX_CHECK_GRADIENT(kronrod, at(0.5, 0.7), at(1.1, 0.4), at(0.3, 1.2))

std::vector<double> places() {
  return {0, 0.5, 1, 1.7, 2.2, 3};
}

std::vector<double> values(double a, double b) {
  return {a, b, a * b, a - b, std::sin(a), std::exp(-b)};
}

double rational(double a, double b) {
  const std::vector<double> x = places();
  const std::vector<double> y = values(a, b);
  const boost::math::barycentric_rational<double> f(x.data(), y.data(), x.size(), 3);
  return f(1.3) + f(0.7 + 0.1 * a);
}
DDX_CHECK_GRADIENT(rational, at(0.5, 0.7), at(1.1, 0.4), at(0.3, 1.2))

double akima(double a, double b) {
  const boost::math::interpolators::makima<std::vector<double>> f(places(), values(a, b));
  return f(1.3) + f(0.7 + 0.1 * a);
}
DDX_CHECK_GRADIENT(akima, at(0.5, 0.7), at(1.1, 0.4), at(0.3, 1.2))

}  // namespace
