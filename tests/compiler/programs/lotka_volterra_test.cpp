// Predators and prey by Runge-Kutta; states are pairs, the loss compares with observations.

#include "gradient_check.h"

#include <cmath>
#include <utility>
#include <vector>

namespace {

using State = std::pair<double, double>;

State operator+(const State& a, const State& b) {
  return {a.first + b.first, a.second + b.second};
}
State operator*(double s, const State& a) {
  return {s * a.first, s * a.second};
}

template <class F>
State runge_kutta(F&& f, const State& y, double h) {
  const State k1 = f(y);
  const State k2 = f(y + h / 2 * k1);
  const State k3 = f(y + h / 2 * k2);
  const State k4 = f(y + h * k3);
  return y + h / 6 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
}

double lotka_volterra(double birth, double hunt, double death, const std::vector<State>& observed) {
  const auto right_side = [&](const State& y) {
    const auto [prey, predators] = y;
    return State{birth * prey - hunt * prey * predators,
                 0.5 * hunt * prey * predators - death * predators};
  };
  State y{1.0, 0.5};
  double loss = 0;
  for (const auto& [prey, predators] : observed) {
    for (int n = 0; n < 3; ++n) {
      y = runge_kutta(right_side, y, 0.1);
    }
    const double a = std::log(y.first / prey);
    const double b = std::log(y.second / predators);
    loss += a * a + b * b * loss;
  }
  return loss + y.first * y.second;
}

const std::vector<State> seen{{1.1, 0.6}, {1.2, 0.5}, {1.4, 0.7}};
DDX_CHECK_GRADIENT(lotka_volterra, at(0.6, 0.9, 0.4, seen), at(1.0, 0.5, 0.7, seen),
                   at(0.8, 1.2, 0.3, std::vector<State>{}))

}  // namespace
