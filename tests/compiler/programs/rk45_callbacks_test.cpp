// An adaptive Runge-Kutta integrator in C: the right-hand side is a callback with a void* of data.

#include "gradient_check.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace {

using RightHandSide = int (*)(double t, const double* y, double* slope, void* data);

struct Oscillator {
  double damping;
  double frequency;
  int calls;
};

int oscillate(double t, const double* y, double* slope, void* data) {
  auto* o = static_cast<Oscillator*>(data);
  ++o->calls;
  slope[0] = y[1];
  slope[1] = -o->frequency * o->frequency * y[0] - o->damping * y[1] + 0.3 * std::sin(t);
  return 0;
}

/// One step of Bogacki and Shampine; returns the estimated error.
double try_step(RightHandSide f, double t, double h, const double* y, double* out, double* work,
                int n, void* data) {
  double* const k1 = work;
  double* const k2 = work + n;
  double* const k3 = work + 2 * n;
  double* const k4 = work + 3 * n;
  f(t, y, k1, data);
  for (int i = 0; i < n; ++i) {
    out[i] = y[i] + 0.5 * h * k1[i];
  }
  f(t + 0.5 * h, out, k2, data);
  for (int i = 0; i < n; ++i) {
    out[i] = y[i] + 0.75 * h * k2[i];
  }
  f(t + 0.75 * h, out, k3, data);
  for (int i = 0; i < n; ++i) {
    out[i] = y[i] + h * (2 * k1[i] + 3 * k2[i] + 4 * k3[i]) / 9;
  }
  f(t + h, out, k4, data);
  double error = 0;
  for (int i = 0; i < n; ++i) {
    const double e =
        h * (-5 * k1[i] / 72 + k2[i] / 12 + k3[i] / 9 - k4[i] / 8) / (1 + std::fabs(y[i]));
    error += e * e;
  }
  return std::sqrt(error);
}

double rk45_callbacks(double damping, double frequency, double start) {
  const int n = 2;
  Oscillator oscillator{damping, frequency, 0};
  auto* memory = static_cast<double*>(std::malloc(6 * n * sizeof(double)));
  if (memory == nullptr) {
    return 0;
  }
  double* y = memory;
  double* next = memory + n;
  y[0] = start;
  y[1] = 0;
  double h = 0.2;
  for (double t = 0; t < 1.5;) {
    h = std::min(h, 1.5 - t);
    const double error = try_step(oscillate, t, h, y, next, memory + 2 * n, n, &oscillator);
    if (error < 1e-3) {
      t += h;
      std::swap(y, next);
    }
    h *= std::clamp(0.8 * std::cbrt(1e-3 / error), 0.3, 2.5);
  }
  const double energy = 0.5 * y[1] * y[1] + 0.5 * frequency * frequency * y[0] * y[0];
  std::free(memory);
  return oscillator.calls > 1000 ? 0 : energy;
}

DDX_CHECK_GRADIENT(rk45_callbacks, at(0.3, 2.0, 1.0), at(0.7, 1.2, -0.6), at(0.1, 3.0, 0.8))

}  // namespace
