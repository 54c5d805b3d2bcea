#include "programs/ode.h"

#include "problem.h"
#include "program_problem.h"

#include <cstddef>
#include <tuple>
#include <vector>

namespace ddx::bench {
namespace {

using Vector = std::vector<double>;

/// The adjoint of chain_slope at `x` and `y`, which are unchanged.
void chain_slope_reverse(std::size_t n, const double* __restrict x, const double* __restrict y,
                         const double* __restrict d_dy, double* __restrict d_x,
                         double* __restrict d_y) {
  d_x[0] += d_dy[0];
  for (std::size_t i = 1; i < n; ++i) {
    d_x[i] += y[i - 1] * d_dy[i];
    d_y[i - 1] += x[i] * d_dy[i];
  }
}

/// The adjoint by hand: the four states of every step are saved.
double chain_by_hand(int steps, const Vector& x, double* g) {
  const std::size_t n = x.size();
  const double h = 2.0 / steps;
  std::vector<Vector> states;
  Vector y(n);
  for (int s = 0; s < steps; ++s) {
    Vector slope[4];
    Vector between = y;
    for (int stage = 0; stage < 4; ++stage) {
      states.push_back(between);
      slope[stage] = chain_slope(x, between);
      const double part = stage == 2 ? h : 0.5 * h;
      for (std::size_t i = 0; stage < 3 && i < n; ++i) {
        between[i] = y[i] + part * slope[stage][i];
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      y[i] += h / 6 * (slope[0][i] + 2 * slope[1][i] + 2 * slope[2][i] + slope[3][i]);
    }
  }
  Vector d_y(n), d_between(n), d_slope(n);
  d_y[n - 1] = 1;
  for (int s = steps - 1; s >= 0; --s) {
    const Vector d_end = d_y;
    for (int stage = 3; stage >= 0; --stage) {
      // Contributions of this stage: to the end of the step, and to the state of the next stage.
      const double weight = stage == 0 || stage == 3 ? h / 6 : h / 3;
      const double part = stage == 3 ? 0 : stage == 2 ? h : 0.5 * h;
      for (std::size_t i = 0; i < n; ++i) {
        d_slope[i] = weight * d_end[i] + part * d_between[i];
        d_between[i] = 0;
      }
      chain_slope_reverse(n, x.data(), states[static_cast<std::size_t>(4 * s + stage)].data(),
                          d_slope.data(), g, d_between.data());
      for (std::size_t i = 0; i < n; ++i) {
        d_y[i] += d_between[i];
      }
    }
    d_between.assign(n, 0);
  }
  return y[n - 1];
}

}  // namespace

Problem ode_problem(int variables, int steps) {
  const auto c = ode_case(variables, steps);
  Problem problem = problem_of(c);
  problem.hand = [c](Vector& g) {
    return chain_by_hand(c.program.steps, std::get<0>(c.inputs), g.data());
  };
  return problem;
}

}  // namespace ddx::bench
