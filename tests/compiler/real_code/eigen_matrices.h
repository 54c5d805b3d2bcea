/// \file
/// Matrices of two numbers, for tests of Eigen.

#pragma once

#include <Eigen/Dense>
#include <cmath>

namespace ddx::testing {

template <class Scalar = double, int order = Eigen::ColMajor>
using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, order>;

template <class Scalar = double, int order = Eigen::ColMajor>
Matrix<Scalar, order> general(Scalar a, Scalar b, int rows, int columns) {
  Matrix<Scalar, order> matrix(rows, columns);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      const auto wave = std::sin(Scalar(1.7) * static_cast<Scalar>(i * columns + j));
      matrix(i, j) = wave * a + b * b / static_cast<Scalar>(1 + i + 2 * j) +
                     (i == (7 * j + 3) % rows ? Scalar(9) : Scalar(0));
    }
  }
  return matrix;
}

template <int order = Eigen::ColMajor>
Matrix<double, order> positive(double a, double b, int size) {
  const Matrix<> m = general(a, b, size, size);
  return m * m.transpose() / 10 + Matrix<>::Identity(size, size);
}

}  // namespace ddx::testing
