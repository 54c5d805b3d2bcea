// The matrix exponential by scaling and squaring, on flat arrays passed by pointer.

#include "gradient_check.h"

#include <cmath>

namespace {

constexpr int n = 3;

void multiply(const double* a, const double* b, double* c) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      double s = 0;
      for (int k = 0; k < n; ++k) {
        s += a[i * n + k] * b[k * n + j];
      }
      c[i * n + j] = s;
    }
  }
}

double norm(const double* a) {
  double most = 0;
  for (int i = 0; i < n; ++i) {
    double row = 0;
    for (int j = 0; j < n; ++j) {
      row += std::fabs(a[i * n + j]);
    }
    if (row > most) {
      most = row;
    }
  }
  return most;
}

void exponential(const double* a, double* result) {
  int squarings = 0;
  double scale = 1;
  for (double size = norm(a); size > 0.5; size /= 2) {
    scale /= 2;
    ++squarings;
  }
  double scaled[n * n];
  double term[n * n];
  double next[n * n];
  for (int i = 0; i < n * n; ++i) {
    scaled[i] = scale * a[i];
    result[i] = term[i] = i % (n + 1) == 0 ? 1 : 0;
  }
  for (int k = 1; k <= 9; ++k) {
    multiply(term, scaled, next);
    for (int i = 0; i < n * n; ++i) {
      term[i] = next[i] / k;
      result[i] += term[i];
    }
  }
  while (squarings-- > 0) {
    multiply(result, result, next);
    for (int i = 0; i < n * n; ++i) {
      result[i] = next[i];
    }
  }
}

double matrix_exponential(double a, double b, double c) {
  const double generator[n * n] = {-a, a, 0, b, -b - c, c, 0.1, a * c, -0.1 - a * c};
  double result[n * n];
  exponential(generator, result);
  return result[0] * result[5] + result[7] + 2 * result[1] * result[8];
}

DDX_CHECK_GRADIENT(matrix_exponential, at(0.5, 0.7, 0.9), at(1.1, 0.4, 2.3), at(0.2, 0.1, 0.1))

}  // namespace
