// A linear system solved by the LU decomposition of Eigen.

#include "gradient_check.h"

#include <Eigen/Dense>

namespace {

double eigen_lu(double a, double b) {
  Eigen::Matrix3d m;
  m << a, b, 1, 0.5, a * b, 2, b, 1, 3;
  const Eigen::Vector3d v(b, 2.0, a);
  const Eigen::Vector3d w = m.partialPivLu().solve(v);
  return w(0) * w(1) + w(2);
}

DDX_CHECK_GRADIENT(eigen_lu, at(0.5, 0.7), at(1.1, 2.4), at(0.3, 1.9))

}  // namespace
