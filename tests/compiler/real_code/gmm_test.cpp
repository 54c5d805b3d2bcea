// Dense and sparse matrices of GMM++, factors and Krylov solvers.

#include "gradient_check.h"

#include <gmm/gmm.h>
#include <vector>

namespace {

double dense(double a, double b) {
  gmm::dense_matrix<double> m(4, 4);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      m(i, j) = a * (i + 1) - b * j * i + (i == j ? 5 : 0);
    }
  }
  const std::vector<double> side{a, b, a * b, 1};
  std::vector<double> x(4);
  gmm::lu_solve(m, x, side);
  std::vector<double> y(4);
  gmm::mult(m, x, y);
  return gmm::vect_sp(x, side) + x[2] * y[1] + gmm::vect_norm2(x);
}
DDX_CHECK_GRADIENT(dense, at(0.5, 0.7), at(1.1, -0.4), at(0.3, 1.2))

double sparse(double a, double b) {
  gmm::row_matrix<gmm::wsvector<double>> built(8, 8);
  for (int i = 0; i < 8; ++i) {
    built(i, i) = 3 + a * a + 0.1 * i * b;
    if (i + 1 < 8) {
      built(i, i + 1) = built(i + 1, i) = -1 - 0.1 * a;
    }
  }
  gmm::csr_matrix<double> m;
  gmm::copy(built, m);
  std::vector<double> x(8, 0.0);
  std::vector<double> side(8);
  for (int i = 0; i < 8; ++i) {
    side[i] = a + i * b;
  }
  gmm::iteration steps(1e-15);
  gmm::cg(m, x, side, gmm::identity_matrix(), steps);
  return x[0] + x[3] * x[5];
}
DDX_CHECK_GRADIENT(sparse, at(0.5, 0.7), at(1.1, 0.4), at(0.3, 1.2))

}  // namespace
