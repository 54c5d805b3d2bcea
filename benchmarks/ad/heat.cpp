#include "programs/heat.h"

#include "problem.h"
#include "program_problem.h"

#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx::bench {
namespace {

using Vector = std::vector<double>;

/// The adjoint of heat_step at the temperatures `u`: consumes that of `next` in the inner cells,
/// and adds to those of `k` and `u`.
void heat_step_reverse(int n, double dt, const double* __restrict k, const double* __restrict u,
                       double* __restrict d_k, double* __restrict d_u, double* __restrict d_next) {
  for (int i = 1; i < n - 1; ++i) {
    for (int j = 1; j < n - 1; ++j) {
      const int c = i * n + j;
      const double d = dt * 0.5 * d_next[c];
      d_u[c] += d_next[c];
      d_next[c] = 0;
      double d_here = 0;
      double d_conductivity = 0;
      for (const int other : {c - n, c + n, c - 1, c + 1}) {
        const double d_flow = d * (k[c] + k[other]);
        const double d_mean = d * (u[other] - u[c]);
        d_u[other] += d_flow;
        d_here -= d_flow;
        d_k[other] += d_mean;
        d_conductivity += d_mean;
      }
      d_u[c] += d_here;
      d_k[c] += d_conductivity;
    }
  }
}

/// The adjoint by hand: every state is saved once.
double misfit_by_hand(const HeatMisfit& misfit, const Vector& start, const Vector& k,
                      double* g_start, double* g_k) {
  const int n = misfit.n;
  std::vector<Vector> states;  // The input of each step; a step overwrites the state before it.
  Vector u = start;
  Vector next = start;
  for (int s = 0; s < misfit.steps; ++s) {
    states.push_back(u);
    heat_step(n, 0.1, k, u, next);
    std::swap(u, next);
  }
  double sum = 0;
  Vector d_u(u.size());
  Vector d_next(u.size());
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double difference = u[i] - misfit.target[i];
    sum += difference * difference;
    d_u[i] = difference;
  }
  for (int s = misfit.steps - 1; s >= 0; --s) {
    std::swap(d_u, d_next);
    heat_step_reverse(n, 0.1, k.data(), states[static_cast<std::size_t>(s)].data(), g_k, d_u.data(),
                      d_next.data());
  }
  for (std::size_t i = 0; i < u.size(); ++i) {
    g_start[i] += d_u[i] + d_next[i];
  }
  return 0.5 * sum;
}

}  // namespace

Problem heat_problem(int n, int steps) {
  const auto c = heat_case(n, steps);
  Problem problem = problem_of(c);
  problem.hand = [c](Vector& g) {
    const auto& [start, conductivity] = c.inputs;
    return misfit_by_hand(c.program, start, conductivity, g.data(), g.data() + start.size());
  };
  return problem;
}

}  // namespace ddx::bench
