// The largest eigenvalue by power iteration, stopped by a tolerance.

#include "gradient_check.h"

#include <cmath>

namespace {

constexpr int N = 3;

void multiply(const double a[N][N], const double x[N], double y[N]) {
  for (int i = 0; i < N; ++i) {
    y[i] = 0;
    for (int j = 0; j < N; ++j) {
      y[i] += a[i][j] * x[j];
    }
  }
}

double normalise(double* x) {
  double norm = 0;
  for (int i = 0; i < N; ++i) {
    norm += x[i] * x[i];
  }
  norm = std::sqrt(norm);
  for (int i = 0; i < N; ++i) {
    x[i] /= norm;
  }
  return norm;
}

double power_iteration(double a, double b, double c) {
  const double matrix[N][N] = {{4 + a, b, 0.2}, {b, 1 + c, a * c}, {0.2, a * c, 0.5}};
  double x[N] = {1, 1, 1};
  double y[N];
  double eigenvalue = 0;
  for (int n = 0; n < 200; ++n) {
    multiply(matrix, x, y);
    const double next = normalise(y);
    for (int i = 0; i < N; ++i) {
      x[i] = y[i];
    }
    const bool settled = std::fabs(next - eigenvalue) < 1e-14;
    eigenvalue = next;
    if (settled) {
      break;
    }
  }
  return eigenvalue * x[0] + x[1] * x[2];
}

DDX_CHECK_GRADIENT(power_iteration, at(0.5, 0.3, 0.2), at(1.0, -0.4, 0.6), at(0.1, 0.8, -0.3))

}  // namespace
