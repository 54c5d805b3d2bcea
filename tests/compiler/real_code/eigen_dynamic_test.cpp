// Matrices and vectors of Eigen whose sizes are known at run time, with vector instructions.

#include "gradient_check.h"

#include <Eigen/Dense>

namespace {

Eigen::MatrixXd filled(double a, double b, int size) {
  Eigen::MatrixXd matrix(size, size);
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) {
      matrix(i, j) = a * (i + 1) + b * j + (i == j ? 4.0 : 0.1 * i * j);
    }
  }
  return matrix;
}

double products(double a, double b) {
  const Eigen::MatrixXd m = filled(a, b, 5);
  const Eigen::VectorXd v = Eigen::VectorXd::LinSpaced(5, a, b + 3);
  const Eigen::MatrixXd n = m * m.transpose() + v * v.transpose();
  return n.trace() * 1e-2 + (n * v).norm() * 1e-2 + m.row(1).dot(v) +
         n.block(1, 1, 3, 2).sum() * 1e-2;
}
DDX_CHECK_GRADIENT(products, at(0.5, 0.7), at(1.1, -0.4), at(0.3, 1.9))

double maps(double a, double b) {
  double numbers[6] = {a, b, a * b, a - b, 1.5, a / (2 + b * b)};
  Eigen::Map<Eigen::Matrix<double, 2, 3>> view(numbers);
  view.col(1) += view.col(0).cwiseProduct(view.col(2));
  return view.array().exp().sum() + numbers[2] * view.colwise().sum()(2);
}
DDX_CHECK_GRADIENT(maps, at(0.5, 0.7), at(1.1, -0.4), at(0.3, 1.9))

double extremes(double a, double b) {
  const Eigen::VectorXd v = filled(a, b, 7).col(2).cwiseAbs();
  return v.maxCoeff() * v.minCoeff() + v.segment(2, 3).mean() + v.head(4).prod() * 1e-2;
}
DDX_CHECK_GRADIENT(extremes, at(0.5, 0.7), at(1.1, 0.4), at(0.3, 1.9))

}  // namespace
