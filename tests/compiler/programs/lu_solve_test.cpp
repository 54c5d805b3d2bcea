// LU factorisation with partial pivoting, and the solution of a linear system.

#include "gradient_check.h"

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace {

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;

/// Factors `a` in place; returns the order of its rows.
std::vector<std::size_t> factorise(Matrix& a) {
  const std::size_t n = a.size();
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) {
    order[i] = i;
  }
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) {
        pivot = i;
      }
    }
    if (pivot != k) {
      std::swap(a[pivot], a[k]);
      std::swap(order[pivot], order[k]);
    }
    for (std::size_t i = k + 1; i < n; ++i) {
      a[i][k] /= a[k][k];
      for (std::size_t j = k + 1; j < n; ++j) {
        a[i][j] -= a[i][k] * a[k][j];
      }
    }
  }
  return order;
}

Vector solve(const Matrix& lu, const std::vector<std::size_t>& order, const Vector& b) {
  const std::size_t n = lu.size();
  Vector x(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = b[order[i]];
    for (std::size_t j = 0; j < i; ++j) {
      x[i] -= lu[i][j] * x[j];
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) {
      x[i] -= lu[i][j] * x[j];
    }
    x[i] /= lu[i][i];
  }
  return x;
}

double lu_solve(const Vector& entries, const Vector& b) {
  const std::size_t n = b.size();
  Matrix a(n, Vector(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      a[i][j] = entries[i * n + j];
    }
  }
  const std::vector<std::size_t> order = factorise(a);
  const Vector x = solve(a, order, b);
  double determinant = 1;
  for (std::size_t i = 0; i < n; ++i) {
    determinant *= a[i][i];
  }
  double s = std::log(std::abs(determinant));
  for (std::size_t i = 0; i < n; ++i) {
    s = s * 0.5 + x[i] * x[i] * static_cast<double>(i + 1);
  }
  return s;
}

DDX_CHECK_GRADIENT(lu_solve,
                   at(Vector{0.5, 2.0, 1.0, 3.0, 1.0, -1.0, 1.5, 0.3, 2.0}, Vector{1.0, -0.5, 2.0}),
                   at(Vector{2.0, 1.0, 0.7, 3.5}, Vector{0.4, -1.2}),
                   at(Vector{4.0, 1.0, 0.5, 1.0, 3.0, 0.2, 0.3, -0.4, 5.0}, Vector{0.1, 0.6, -0.9}))

}  // namespace
