// Every kind of stepper of Boost.odeint that works on standard containers.

#include "gradient_check.h"

#include <array>
#include <boost/numeric/odeint.hpp>

namespace {

namespace odeint = boost::numeric::odeint;
using State = std::array<double, 2>;

/// A damped oscillator; `a` and `b` are its start and its stiffness.
struct Oscillator {
  double stiffness;

  void operator()(const State& x, State& dxdt, double /*time*/) const {
    dxdt[0] = x[1];
    dxdt[1] = -stiffness * x[0] - 0.1 * x[1] * x[0];
  }
};

template <class Stepper>
double after_steps(Stepper stepper, double a, double b) {
  State x{a, b};
  odeint::integrate_const(stepper, Oscillator{1 + a * b}, x, 0.0, 1.0, 0.1);
  return x[0] + x[1] * x[1];
}

#define STEPPER(name, ...)                 \
  double name(double a, double b) {        \
    return after_steps(__VA_ARGS__, a, b); \
  }                                        \
  DDX_CHECK_GRADIENT(name, at(0.5, 0.7), at(1.1, 0.4), at(0.3, 1.2))
STEPPER(euler, odeint::euler<State>())
STEPPER(midpoint, odeint::modified_midpoint<State>(4))
STEPPER(cash_karp, odeint::runge_kutta_cash_karp54<State>())
STEPPER(fehlberg, odeint::runge_kutta_fehlberg78<State>())
STEPPER(bashforth, odeint::adams_bashforth<4, State>())
STEPPER(moulton, odeint::adams_bashforth_moulton<3, State>())
STEPPER(controlled, odeint::make_controlled(1e-8, 1e-8, odeint::runge_kutta_cash_karp54<State>()))
STEPPER(dense_output, odeint::make_dense_output(1e-8, 1e-8, odeint::runge_kutta_dopri5<State>()))
STEPPER(bulirsch_stoer, odeint::bulirsch_stoer<State>(1e-8, 1e-8))
#undef STEPPER

using Half = std::array<double, 1>;

/// A symplectic stepper: place and momentum apart.
double symplectic(double a, double b) {
  std::pair<Half, Half> x{{a}, {b}};
  odeint::symplectic_rkn_sb3a_mclachlan<Half> stepper;
  const double stiffness = 1 + a * b;
  const auto force = [stiffness](const Half& place, Half& change) {
    change[0] = -stiffness * place[0];
  };
  for (int i = 0; i < 10; ++i) {
    stepper.do_step(force, x, 0.0, 0.1);
  }
  return x.first[0] + x.second[0] * x.second[0];
}
DDX_CHECK_GRADIENT(symplectic, at(0.5, 0.7), at(1.1, 0.4), at(0.3, 1.2))

}  // namespace
