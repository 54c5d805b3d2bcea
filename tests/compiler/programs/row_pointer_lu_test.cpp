// LU decomposition with partial pivoting over double**: rows are exchanged by their pointers.

#include "gradient_check.h"

#include <cmath>
#include <vector>

namespace {

double** make_matrix(int n) {
  auto** a = new double*[n];
  for (int i = 0; i < n; ++i) {
    a[i] = new double[n]();
  }
  return a;
}

void release(double** a, int n) {
  for (int i = 0; i < n; ++i) {
    delete[] a[i];
  }
  delete[] a;
}

/// Factors `a` in place, applies the same exchanges to `b`; returns the sign of the permutation.
int factorise(double** a, double* b, int n) {
  int sign = 1;
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i) {
      if (std::fabs(a[i][k]) > std::fabs(a[pivot][k])) {
        pivot = i;
      }
    }
    if (pivot != k) {
      double* const row = a[k];
      a[k] = a[pivot];
      a[pivot] = row;
      const double value = b[k];
      b[k] = b[pivot];
      b[pivot] = value;
      sign = -sign;
    }
    for (int i = k + 1; i < n; ++i) {
      a[i][k] /= a[k][k];
      for (int j = k + 1; j < n; ++j) {
        a[i][j] -= a[i][k] * a[k][j];
      }
      b[i] -= a[i][k] * b[k];
    }
  }
  return sign;
}

double row_pointer_lu(const std::vector<double>& entries, double load) {
  const int n = 3;
  double** a = make_matrix(n);
  auto* b = new double[n];
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      a[i][j] = entries[i * n + j];
    }
    b[i] = load * (i + 1) + entries[i];
  }
  double determinant = factorise(a, b, n);
  double norm = 0;
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) {
      b[i] -= a[i][j] * b[j];
    }
    b[i] /= a[i][i];
    norm += b[i] * b[i];
    determinant *= a[i][i];
  }
  delete[] b;
  release(a, n);
  return norm + 0.1 * determinant;
}

DDX_CHECK_GRADIENT(row_pointer_lu,
                   at(std::vector{0.5, 2.0, 1.0, 3.0, 1.0, -1.0, 1.5, 0.3, 2.0}, 0.7),
                   at(std::vector{4.0, 1.0, 0.5, 1.0, 3.0, 0.2, 0.3, -0.4, 5.0}, -0.4),
                   at(std::vector{0.2, 0.1, 1.9, 0.6, 2.5, 0.3, 1.7, 0.4, 0.8}, 1.1))

}  // namespace
