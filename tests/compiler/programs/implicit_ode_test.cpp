// Backward Euler with Newton's method in each step: a stiff chemical reaction.

#include "gradient_check.h"

#include <array>
#include <cmath>

namespace {

struct Rates {
  double slow;
  double fast;
  double back;
  DDX_DIFFERENTIABLE(Rates, slow, fast, back)
};

using Species = std::array<double, 3>;
using Jacobian = std::array<std::array<double, 3>, 3>;

Species right_side(const Rates& k, const Species& y) {
  const double a = k.slow * y[0];
  const double b = k.back * y[1] * y[2];
  const double c = k.fast * y[1] * y[1];
  return {-a + b, a - b - c, c};
}

Jacobian derivative(const Rates& k, const Species& y) {
  Jacobian j{};
  j[0] = {-k.slow, k.back * y[2], k.back * y[1]};
  j[1] = {k.slow, -k.back * y[2] - 2 * k.fast * y[1], -k.back * y[1]};
  j[2] = {0, 2 * k.fast * y[1], 0};
  return j;
}

void eliminate(Jacobian& m, Species& b) {
  for (int i = 0; i < 3; ++i) {
    const double pivot = 1 / m[i][i];
    for (int r = 0; r < 3; ++r) {
      if (r != i) {
        const double f = m[r][i] * pivot;
        for (int c = i; c < 3; ++c) {
          m[r][c] -= f * m[i][c];
        }
        b[r] -= f * b[i];
      }
    }
  }
  for (int i = 0; i < 3; ++i) {
    b[i] /= m[i][i];
  }
}

double implicit_ode(const Rates& k, double start, double dt, int steps) {
  Species y = {start, 0.1, 0};
  for (int n = 0; n < steps; ++n) {
    Species guess = y;
    for (int iteration = 0;; ++iteration) {
      const Species f = right_side(k, guess);
      Species residual;
      double size = 0;
      for (int i = 0; i < 3; ++i) {
        residual[i] = guess[i] - y[i] - dt * f[i];
        size += std::fabs(residual[i]);
      }
      if (size < 1e-13 || iteration == 12) {
        break;
      }
      Jacobian m = derivative(k, guess);
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
          m[i][j] = (i == j ? 1 : 0) - dt * m[i][j];
        }
      }
      eliminate(m, residual);
      for (int i = 0; i < 3; ++i) {
        guess[i] -= residual[i];
      }
    }
    y = guess;
  }
  return y[0] * y[0] + 2 * y[1] + y[2] * y[0];
}

DDX_CHECK_GRADIENT(implicit_ode, at(Rates{0.4, 3.0, 1.0}, 1.0, 0.2, 3),
                   at(Rates{1.0, 8.0, 2.0}, 0.6, 0.5, 2), at(Rates{0.1, 1.0, 0.5}, 1.5, 0.1, 0))

}  // namespace
