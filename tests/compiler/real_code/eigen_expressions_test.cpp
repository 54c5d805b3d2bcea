// Expressions of fixed-size matrices and vectors of Eigen.

#include "gradient_check.h"

#include <Eigen/Dense>

namespace {

Eigen::Matrix3d matrix(double a, double b) {
  Eigen::Matrix3d m;
  m << a, b, 1, 0.5, a * b, 2, b, 1, 3;
  return m;
}

double products(double a, double b) {
  const Eigen::Matrix3d m = matrix(a, b);
  const Eigen::Vector3d v(b, 2.0, a);
  const Eigen::Vector3d w = m * v;
  const Eigen::Matrix3d t = m.transpose() * m;
  return w.dot(v) + w.norm() + t.trace() * t(0, 1);
}

double sums(double a, double b) {
  Eigen::Matrix3d m = matrix(a, b) + Eigen::Matrix3d::Identity() * a;
  m += m * 2.0;
  m *= b;
  const Eigen::Vector3d v(b, 2.0, a);
  const Eigen::Vector3d w = 2.0 * v + m.col(1) - v / a;
  return w.squaredNorm() + m(2, 1) * m.sum();
}

double coefficients(double a, double b) {
  const Eigen::Vector3d v(b, 2.0, a);
  const Eigen::Vector3d w = v.cwiseProduct(matrix(a, b).row(1).transpose());
  const Eigen::Vector3d n = v.normalized();
  return w.sum() + w.array().exp().sum() + n(0) + 2 * n(1) + v.cross(w).dot(n);
}

DDX_CHECK_GRADIENT(products, at(0.5, 0.7), at(1.1, 2.4), at(0.3, 1.9))
DDX_CHECK_GRADIENT(sums, at(0.5, 0.7), at(1.1, 2.4), at(0.3, 1.9))
DDX_CHECK_GRADIENT(coefficients, at(0.5, 0.7), at(1.1, 1.4), at(0.3, 1.9))

}  // namespace
