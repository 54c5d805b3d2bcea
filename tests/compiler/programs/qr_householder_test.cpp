// Least squares by Householder reflections over a matrix class.

#include "gradient_check.h"

#include <cmath>
#include <vector>

namespace {

class Matrix {
 public:
  Matrix(int rows, int columns) : rows_(rows), columns_(columns), data_(rows * columns, 0.0) {}
  [[nodiscard]] int rows() const { return rows_; }
  [[nodiscard]] int columns() const { return columns_; }
  double& operator()(int i, int j) { return data_[i * columns_ + j]; }
  const double& operator()(int i, int j) const { return data_[i * columns_ + j]; }

 private:
  int rows_;
  int columns_;
  std::vector<double> data_;
};

void reflect(Matrix& a, std::vector<double>& b, int k) {
  double norm = 0;
  for (int i = k; i < a.rows(); ++i) {
    norm += a(i, k) * a(i, k);
  }
  norm = std::sqrt(norm);
  const double alpha = a(k, k) > 0 ? -norm : norm;
  std::vector<double> v(a.rows());
  double vv = 0;
  for (int i = k; i < a.rows(); ++i) {
    v[i] = a(i, k) - (i == k ? alpha : 0);
    vv += v[i] * v[i];
  }
  for (int j = k; j < a.columns(); ++j) {
    double dot = 0;
    for (int i = k; i < a.rows(); ++i) {
      dot += v[i] * a(i, j);
    }
    for (int i = k; i < a.rows(); ++i) {
      a(i, j) -= 2 * dot / vv * v[i];
    }
  }
  double dot = 0;
  for (int i = k; i < a.rows(); ++i) {
    dot += v[i] * b[i];
  }
  for (int i = k; i < a.rows(); ++i) {
    b[i] -= 2 * dot / vv * v[i];
  }
}

/// Fits a polynomial through points; returns a mix of its coefficients and the residual.
double qr_householder(const std::vector<double>& t, const std::vector<double>& y, int degree) {
  Matrix a(static_cast<int>(t.size()), degree + 1);
  for (int i = 0; i < a.rows(); ++i) {
    double power = 1;
    for (int j = 0; j <= degree; ++j, power *= t[i]) {
      a(i, j) = power;
    }
  }
  std::vector<double> b = y;
  for (int k = 0; k < a.columns(); ++k) {
    reflect(a, b, k);
  }
  double result = 0;
  std::vector<double> x(a.columns());
  for (int i = a.columns() - 1; i >= 0; --i) {
    double s = b[i];
    for (int j = i + 1; j < a.columns(); ++j) {
      s -= a(i, j) * x[j];
    }
    x[i] = s / a(i, i);
    result = 0.7 * result + x[i] * x[i];
  }
  for (int i = a.columns(); i < a.rows(); ++i) {
    result += b[i] * b[i];
  }
  return result;
}

DDX_CHECK_GRADIENT(qr_householder,
                   at(std::vector{0.1, 0.6, 1.3, 2.1}, std::vector{1.0, 0.4, -0.3, 0.8}, 1),
                   at(std::vector{-1.0, 0.2, 0.9, 1.7, 2.2}, std::vector{0.5, 0.6, -0.2, 1.1, 0.3},
                      2),
                   at(std::vector{0.5, 1.5}, std::vector{-0.7, 0.9}, 0))

}  // namespace
