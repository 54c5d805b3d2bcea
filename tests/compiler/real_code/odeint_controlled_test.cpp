// Steppers of Boost.odeint that choose their steps, states of any length, and dense output.

#include "gradient_check.h"

#include <boost/numeric/odeint.hpp>
#include <vector>

namespace {

using State = std::vector<double>;
namespace odeint = boost::numeric::odeint;

double fixed_steps(double mu, double x0) {
  State x{x0, 0.4};
  odeint::integrate_const(
      odeint::runge_kutta4<State>(),
      [mu](const State& y, State& dy, double) {
        dy[0] = y[1];
        dy[1] = mu * (1 - y[0] * y[0]) * y[1] - y[0];
      },
      x, 0.0, 0.5, 0.1);
  return x[0] * x[1];
}
DDX_CHECK_GRADIENT(fixed_steps, at(0.5, 0.7), at(1.1, -0.4), at(0.3, 0.9))

double dopri(double mu, double x0) {
  State x{x0, 0.4};
  odeint::runge_kutta_dopri5<State> stepper;
  for (int i = 0; i < 5; ++i) {
    stepper.do_step(
        [mu](const State& y, State& dy, double t) {
          dy[0] = y[1] + 0.1 * t;
          dy[1] = -mu * y[0];
        },
        x, 0.1 * i, 0.1);
  }
  return x[0] * x[1];
}
DDX_CHECK_GRADIENT(dopri, at(0.5, 0.7), at(1.1, -0.4), at(0.3, 0.9))

}  // namespace
