// Rotations of Eigen.

#include "gradient_check.h"

#include <Eigen/Dense>

namespace {

double turned(double a, double b) {
  const Eigen::Vector3d v(b, 2.0, a);
  Eigen::Quaterniond q(1.0, a, b, 0.3);
  q.normalize();
  const Eigen::Vector3d w = q * v;
  const Eigen::Matrix3d about = Eigen::AngleAxisd(a, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  const Eigen::Vector3d u = about * w;
  return w(0) - w(1) * w(2) + u(0) * u(1);
}

DDX_CHECK_GRADIENT(turned, at(0.5, 0.7), at(1.1, 2.4), at(0.3, 1.9))

}  // namespace
