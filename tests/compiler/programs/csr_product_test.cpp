// A sparse matrix in compressed rows with arrays of its own; conjugate gradients on raw pointers.

#include "gradient_check.h"

#include <cmath>
#include <vector>

namespace {

struct Csr {
  int rows;
  int* start;
  int* column;
  double* value;
};

/// The matrix of a chain of springs, fixed at both ends.
Csr make_chain(const double* stiffness, int n) {
  Csr a{n, new int[n + 1], new int[3 * n], new double[3 * n]};
  int used = 0;
  for (int i = 0; i < n; ++i) {
    a.start[i] = used;
    for (int j = i - 1; j <= i + 1; ++j) {
      if (j < 0 || j >= n) {
        continue;
      }
      a.column[used] = j;
      a.value[used++] = j == i ? stiffness[i] + stiffness[i + 1] : -stiffness[j < i ? i : j];
    }
  }
  a.start[n] = used;
  return a;
}

void release(Csr* a) {
  delete[] a->start;
  delete[] a->column;
  delete[] a->value;
  *a = Csr{};
}

void multiply(const Csr* a, const double* x, double* y) {
  for (int i = 0; i < a->rows; ++i) {
    y[i] = 0;
    for (int k = a->start[i]; k < a->start[i + 1]; ++k) {
      y[i] += a->value[k] * x[a->column[k]];
    }
  }
}

double dot(const double* x, const double* y, int n) {
  return n == 0 ? 0 : x[0] * y[0] + dot(x + 1, y + 1, n - 1);
}

double csr_product(const std::vector<double>& stiffness, double load) {
  const int n = static_cast<int>(stiffness.size()) - 1;
  Csr a = make_chain(stiffness.data(), n);
  auto* work = new double[4 * n];
  double* const x = work;
  double* const r = work + n;
  double* const p = work + 2 * n;
  double* const q = work + 3 * n;
  for (int i = 0; i < n; ++i) {
    x[i] = 0;
    p[i] = r[i] = load * std::cos(i);
  }
  for (int k = 0; k < n - 1; ++k) {
    multiply(&a, p, q);
    const double rho = dot(r, r, n);
    const double alpha = rho / dot(p, q, n);
    for (int i = 0; i < n; ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    const double beta = dot(r, r, n) / rho;
    for (int i = 0; i < n; ++i) {
      p[i] = r[i] + beta * p[i];
    }
  }
  const double compliance = dot(x, x, n) + 0.5 * x[n / 2];
  delete[] work;
  release(&a);
  return compliance;
}

DDX_CHECK_GRADIENT(csr_product, at(std::vector{1.0, 0.5, 2.0, 0.7, 1.3}, 0.4),
                   at(std::vector{0.9, 1.1, 0.6}, -0.8),
                   at(std::vector{1.0, 2.0, 0.8, 1.5, 0.9, 1.2}, 0.7))

}  // namespace
