// Linear systems of three equations with Eigen, solved by the inverse.

#include "gradient_check.h"

#include <Eigen/Dense>

namespace {

double solved(double a, double b) {
  Eigen::Matrix3d m;
  m << a, b, 1, 0.5, a * b, 2, b, 1, 3;
  const Eigen::Vector3d v(b, 2.0, a);
  const Eigen::Vector3d w = m.inverse() * v;
  return w.dot(v) + m.determinant() * v(0);
}

DDX_CHECK_GRADIENT(solved, at(0.5, 0.7), at(1.1, 2.4), at(0.3, 1.9))

}  // namespace
