// Matrices of dlib, of fixed and of dynamic size.

#include "gradient_check.h"

#include <dlib/matrix.h>

namespace {

double fixed(double a, double b) {
  dlib::matrix<double, 3, 3> m;
  m = 4 + a, b, 1, 0.5, 5 + a * b, 2, b, 1, 6;
  dlib::matrix<double, 3, 1> v;
  v = b, 2, a;
  const dlib::matrix<double, 3, 1> w = dlib::inv(m) * v;
  return dlib::dot(v, w) + dlib::det(m) * 1e-2 + dlib::length(w);
}
DDX_CHECK_GRADIENT(fixed, at(0.5, 0.7), at(1.1, -0.4), at(0.3, 1.2))

double dynamic(double a, double b) {
  dlib::matrix<double> m(5, 4);
  for (long i = 0; i < 5; ++i) {
    for (long j = 0; j < 4; ++j) {
      m(i, j) = a * (i + 1) - b * j;
    }
  }
  const dlib::matrix<double> n = dlib::trans(m) * m + a * dlib::identity_matrix<double>(4);
  const dlib::matrix<double> e = dlib::exp(n * 1e-2);
  return dlib::sum(e) + dlib::trace(n) * 1e-1 + dlib::sum(dlib::colm(m, 2)) + dlib::max(n) * 1e-1;
}
DDX_CHECK_GRADIENT(dynamic, at(0.5, 0.7), at(1.1, -0.4), at(0.3, 1.2))

}  // namespace
