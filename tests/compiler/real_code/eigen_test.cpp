// A product of small matrices of Eigen.

#include "gradient_check.h"

#include <Eigen/Dense>

namespace {

double eigen_small(double a, double b) {
  Eigen::Matrix2d m;
  m(0, 0) = a;
  m(0, 1) = b;
  m(1, 0) = 1;
  m(1, 1) = a * b;
  const Eigen::Vector2d v(b, 2.0);
  const Eigen::Vector2d w = m * v;
  return w(0) * w(1);
}

DDX_CHECK_GRADIENT(eigen_small, at(0.5, 0.7), at(1.1, 2.4), at(0.3, 1.9))

}  // namespace
