// An embedded Runge-Kutta pair with step control, over any right side.

#include "gradient_check.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace {

using State = std::array<double, 2>;

State advanced(const State& y, double h, const State& k) {
  return {y[0] + h * k[0], y[1] + h * k[1]};
}

struct Outcome {
  State state;
  int accepted = 0;
  int rejected = 0;
};

/// Bogacki-Shampine 3(2).
template <class Right>
Outcome integrate(const Right& right, State y, double end, double tolerance) {
  Outcome outcome;
  double t = 0;
  double h = 0.1;
  while (t < end) {
    if (t + h > end) {
      h = end - t;
    }
    const State k1 = right(t, y);
    const State k2 = right(t + 0.5 * h, advanced(y, 0.5 * h, k1));
    const State k3 = right(t + 0.75 * h, advanced(y, 0.75 * h, k2));
    State next;
    for (std::size_t i = 0; i < y.size(); ++i) {
      next[i] = y[i] + h * (2 * k1[i] + 3 * k2[i] + 4 * k3[i]) / 9;
    }
    const State k4 = right(t + h, next);
    double error = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      error = std::max(error, std::fabs(h * (-5 * k1[i] + 6 * k2[i] + 8 * k3[i] - 9 * k4[i]) / 72));
    }
    const double factor = std::clamp(0.9 * std::cbrt(tolerance / (error + 1e-12)), 0.3, 2.0);
    if (error > tolerance) {
      ++outcome.rejected;
      h *= factor;
      continue;
    }
    t += h;
    y = next;
    h *= factor;
    if (++outcome.accepted > 200) {
      break;
    }
  }
  outcome.state = y;
  return outcome;
}

double adaptive_ode(double mu, double x, double v, double end) {
  const auto van_der_pol = [mu](double t, const State& y) -> State {
    return {y[1], mu * (1 - y[0] * y[0]) * y[1] - y[0] + 0.1 * std::sin(t)};
  };
  const Outcome outcome = integrate(van_der_pol, {x, v}, end, 1e-3);
  return outcome.state[0] * outcome.state[1] + 0.01 * outcome.accepted * x + outcome.state[0];
}

DDX_CHECK_GRADIENT(adaptive_ode, at(0.5, 1.1, 0.2, 0.8), at(1.0, -0.4, 0.9, 0.5),
                   at(0.2, 0.3, -0.6, 0.35))

}  // namespace
