// Newton's method for a system of three equations: arrays on the stack, an out-parameter each.

#include "gradient_check.h"

#include <cmath>

namespace {

constexpr int n = 3;

void residual(const double x[n], const double p[2], double r[n], double jacobian[n][n]) {
  r[0] = x[0] * x[0] + p[0] * x[1] - 2;
  r[1] = x[1] * std::exp(0.3 * x[2]) - p[1];
  r[2] = x[2] + 0.5 * std::sin(x[0]) - p[0] * p[1];
  const double rows[n][n] = {{2 * x[0], p[0], 0},
                             {0, std::exp(0.3 * x[2]), 0.3 * x[1] * std::exp(0.3 * x[2])},
                             {0.5 * std::cos(x[0]), 0, 1}};
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      jacobian[i][j] = rows[i][j];
    }
  }
}

void eliminate(double (*a)[n], double* b) {
  for (int k = 0; k < n; ++k) {
    for (int i = k + 1; i < n; ++i) {
      const double factor = a[i][k] / a[k][k];
      for (int j = k; j < n; ++j) {
        a[i][j] -= factor * a[k][j];
      }
      b[i] -= factor * b[k];
    }
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) {
      b[i] -= a[i][j] * b[j];
    }
    b[i] /= a[i][i];
  }
}

bool solve(double* x, const double* p, double* last_step) {
  for (int iteration = 0; iteration < 20; ++iteration) {
    double r[n];
    double jacobian[n][n];
    residual(x, p, r, jacobian);
    eliminate(jacobian, r);
    double square = 0;
    for (int i = 0; i < n; ++i) {
      x[i] -= r[i];
      square += r[i] * r[i];
    }
    *last_step = std::sqrt(square);
    if (square < 1e-26) {
      return true;
    }
  }
  return false;
}

double newton_raw_arrays(double a, double b, double weight) {
  double x[n] = {1.2, 0.8, 0.1};
  const double p[2] = {a, b};
  double last_step = 0;
  if (!solve(x, p, &last_step)) {
    return last_step;
  }
  return x[0] * x[1] + weight * x[2] * x[2];
}

DDX_CHECK_GRADIENT(newton_raw_arrays, at(0.6, 0.9, 0.5), at(0.2, 1.3, -0.7), at(0.9, 0.5, 1.2))

}  // namespace
