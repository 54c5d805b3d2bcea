// A Kalman filter on double[]: matrices are flat arrays, results are written through parameters.

#include "gradient_check.h"

#include <cmath>
#include <cstring>
#include <vector>

namespace {

void multiply(const double* a, const double* b, double* out, int n, bool transposed = false) {
  double result[16];
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      double s = 0;
      for (int k = 0; k < n; ++k) {
        s += a[i * n + k] * (transposed ? b[j * n + k] : b[k * n + j]);
      }
      result[i * n + j] = s;
    }
  }
  std::memcpy(out, result, n * n * sizeof(double));
}

struct Filter {
  double state[2];
  double covariance[4];
  double transition[4];
};

void predict(Filter* f, double noise) {
  double moved[2] = {0, 0};
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      moved[i] += f->transition[2 * i + j] * f->state[j];
    }
  }
  std::memcpy(f->state, moved, sizeof(moved));
  multiply(f->transition, f->covariance, f->covariance, 2);
  multiply(f->covariance, f->transition, f->covariance, 2, true);
  f->covariance[0] += noise;
  f->covariance[3] += 2 * noise;
}

double update(Filter* f, double measured, double variance) {
  const double innovation = measured - f->state[0];
  const double total = f->covariance[0] + variance;
  const double gain[2] = {f->covariance[0] / total, f->covariance[2] / total};
  const double top[2] = {f->covariance[0], f->covariance[1]};
  for (int i = 0; i < 2; ++i) {
    f->state[i] += gain[i] * innovation;
    for (int j = 0; j < 2; ++j) {
      f->covariance[2 * i + j] -= gain[i] * top[j];
    }
  }
  return 0.5 * (std::log(total) + innovation * innovation / total);
}

double array_kalman(const std::vector<double>& measured, double noise, double variance) {
  Filter f = {{0, 0.5}, {1, 0.1, 0.1, 1}, {1, 0.3, 0, 0.95}};
  double cost = 0;
  for (const double m : measured) {
    const Filter before = f;
    predict(&f, noise);
    cost += update(&f, m, variance);
    cost += 0.01 * (f.state[1] - before.state[1]) * before.covariance[3];
  }
  return cost;
}

DDX_CHECK_GRADIENT(array_kalman, at(std::vector{0.5, 0.8, 0.9, 1.4}, 0.1, 0.5),
                   at(std::vector{1.2}, 0.3, 0.2), at(std::vector{0.3, 0.6, -0.4}, 0.05, 1.1))

}  // namespace
