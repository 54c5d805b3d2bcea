// A Runge-Kutta stepper of Boost.odeint.

#include "gradient_check.h"

#include <array>
#include <boost/numeric/odeint.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta4.hpp>

namespace {

using State = std::array<double, 2>;
double odeint_rk4(double mu, double x0, double v0) {
  boost::numeric::odeint::runge_kutta4<State> stepper;
  State x{x0, v0};
  const auto rhs = [mu](const State& y, State& dy, double) {
    dy[0] = y[1];
    dy[1] = mu * (1 - y[0] * y[0]) * y[1] - y[0];
  };
  for (int i = 0; i < 4; ++i) {
    stepper.do_step(rhs, x, 0.1 * i, 0.1);
  }
  return x[0] * x[1] + x[0];
}

DDX_CHECK_GRADIENT(odeint_rk4, at(0.5, 0.7, 0.2), at(1.1, -0.4, 0.8), at(0.3, 0.9, 1.3))

}  // namespace
