// Boost.QVM: vectors, matrices and quaternions of fixed size.

#include "gradient_check.h"

#include <boost/qvm/all.hpp>

namespace {

namespace qvm = boost::qvm;
using qvm::operator*;
using qvm::operator+;

double turned(double a, double b) {
  qvm::vec<double, 3> v{{b, 2, a}};
  const qvm::mat<double, 3, 3> m = qvm::rotx_mat<3>(a) * qvm::rotz_mat<3>(b);
  const qvm::vec<double, 3> w = m * v + qvm::cross(v, m * v);
  const qvm::quat<double> q = qvm::normalized(qvm::roty_quat(a) * qvm::rotx_quat(b * a));
  const qvm::vec<double, 3> u = q * w;
  return qvm::dot(u, v) + qvm::mag(w) + qvm::determinant(m * b) + qvm::A<0, 2>(qvm::inverse(m));
}
DDX_CHECK_GRADIENT(turned, at(0.5, 0.7), at(1.1, 0.4), at(0.3, 1.2))

}  // namespace
