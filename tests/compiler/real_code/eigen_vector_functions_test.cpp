// Eigen's functions of vectors, of which it computes the logarithm and the sequences by bits of
// numbers where it is not optimised.

#include "ddx/eigen.h"

#define DDX_CHECK_SECOND_ORDER
#include "eigen_matrices.h"
#include "gradient_check.h"

#include <Eigen/Dense>
#include <cmath>

namespace {

using ddx::testing::general;
using ddx::testing::Matrix;
using ddx::testing::positive;

double vectors(double a, double b) {
  const Matrix<> m = general(a, b, 29, 34);
  const Matrix<double, Eigen::RowMajor> n = m;
  const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(34, a, b + 2);
  const Eigen::VectorXd y = m * x + b * (n * x);
  const Eigen::VectorXd z = n.transpose() * y - m.row(3).transpose() * a;
  const Eigen::RowVectorXd w = m.row(2) * m.transpose();
  return y.norm() / 10 + z.dot(x) / 100 + w(5);
}
DDX_CHECK_GRADIENT(vectors, at(0.5, 0.7), at(1.1, -0.4), at(0.3, 1.2))

double log_likelihood(double a, double b) {
  const Eigen::LLT<Matrix<>> made(positive(a, b, 45));
  const Eigen::VectorXd y = Eigen::VectorXd::LinSpaced(45, a, b + 1);
  return -made.matrixLLT().diagonal().array().log().sum() - 0.5 * y.dot(made.solve(y));
}
DDX_CHECK_GRADIENT(log_likelihood, at(0.5, 0.7), at(1.1, -0.4), at(0.3, 1.2))

}  // namespace
