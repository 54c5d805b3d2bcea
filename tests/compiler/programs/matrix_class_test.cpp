// A matrix class that owns double**, with copy and swap and operators, in a Gram-Schmidt process.

#include "gradient_check.h"

#include <cmath>
#include <utility>
#include <vector>

namespace {

class Matrix {
 public:
  Matrix(int rows, int columns) : rows_(rows), columns_(columns), row_(new double*[rows]) {
    row_[0] = new double[rows * columns]();
    for (int i = 1; i < rows; ++i) {
      row_[i] = row_[i - 1] + columns;
    }
  }
  Matrix(const Matrix& o) : Matrix(o.rows_, o.columns_) {
    for (int k = 0; k < rows_ * columns_; ++k) {
      row_[0][k] = o.row_[0][k];
    }
  }
  Matrix& operator=(Matrix o) noexcept {
    std::swap(rows_, o.rows_);
    std::swap(columns_, o.columns_);
    std::swap(row_, o.row_);
    return *this;
  }
  ~Matrix() {
    delete[] row_[0];
    delete[] row_;
  }
  double* operator[](int i) { return row_[i]; }
  const double* operator[](int i) const { return row_[i]; }
  [[nodiscard]] int rows() const { return rows_; }
  [[nodiscard]] int columns() const { return columns_; }
  friend Matrix operator*(const Matrix& a, const Matrix& b) {
    Matrix c(a.rows_, b.columns_);
    for (int i = 0; i < a.rows_; ++i) {
      for (int k = 0; k < a.columns_; ++k) {
        for (int j = 0; j < b.columns_; ++j) {
          c[i][j] += a[i][k] * b[k][j];
        }
      }
    }
    return c;
  }

 private:
  int rows_;
  int columns_;
  double** row_;
};

Matrix orthonormal(Matrix a) {
  for (int i = 0; i < a.rows(); ++i) {
    for (int p = 0; p < i; ++p) {
      double dot = 0;
      for (int j = 0; j < a.columns(); ++j) {
        dot += a[i][j] * a[p][j];
      }
      for (int j = 0; j < a.columns(); ++j) {
        a[i][j] -= dot * a[p][j];
      }
    }
    double square = 0;
    for (const double* v = a[i]; v != a[i] + a.columns(); ++v) {
      square += *v * *v;
    }
    for (double* v = a[i]; v != a[i] + a.columns(); ++v) {
      *v /= std::sqrt(square);
    }
  }
  return a;
}

double matrix_class(const std::vector<double>& entries) {
  Matrix a(3, 3);
  for (int k = 0; k < 9; ++k) {
    a[k / 3][k % 3] = entries[k];
  }
  const Matrix q = orthonormal(a);
  a = a * q;
  return a[0][1] * a[2][0] + a[1][1] - 0.5 * q[2][2] * a[2][2];
}

DDX_CHECK_GRADIENT(matrix_class, at(std::vector{0.5, 2.0, 1.0, 3.0, 1.0, -1.0, 1.5, 0.3, 2.0}),
                   at(std::vector{4.0, 1.0, 0.5, 1.0, 3.0, 0.2, 0.3, -0.4, 5.0}),
                   at(std::vector{0.2, 0.1, 1.9, 0.6, 2.5, 0.3, 1.7, 0.4, 0.8}))

}  // namespace
