// Decompositions of Eigen, differentiated from their source.

#include "gradient_check.h"

#include <Eigen/Dense>

namespace {

Eigen::MatrixXd general(double a, double b) {
  Eigen::MatrixXd m(4, 4);
  m << 4 + a, b, 0.3, a * b, 1, 5 - b, a, 0.2, b, 0.7, 6 + a * b, 1, 0.4, a, 1.5, 3 + b;
  return m;
}

Eigen::MatrixXd positive(double a, double b) {
  const Eigen::MatrixXd m = general(a, b);
  return m * m.transpose();
}

Eigen::VectorXd side(double a, double b) {
  return Eigen::Vector4d(a, b, a * b, 1.0);
}

#define SOLVER(name, matrix, solver)                     \
  double name(double a, double b) {                      \
    const Eigen::MatrixXd m = matrix(a, b);              \
    return solver.solve(side(a, b)).dot(side(b, a + 1)); \
  }                                                      \
  DDX_CHECK_GRADIENT(name, at(0.5, 0.7), at(1.1, -0.4), at(0.3, 1.2))
SOLVER(partial_pivots, general, m.partialPivLu())
SOLVER(full_pivots, general, m.fullPivLu())
SOLVER(cholesky, positive, m.llt())
SOLVER(cholesky_without_roots, positive, m.ldlt())
SOLVER(reflections, general, m.householderQr())
SOLVER(pivoted_reflections, general, m.colPivHouseholderQr())
#undef SOLVER

double singular_values(double a, double b) {
  const Eigen::JacobiSVD<Eigen::MatrixXd> made(general(a, b), Eigen::ComputeThinU);
  return made.singularValues()(0) * made.singularValues()(2) + made.matrixU().col(0).cwiseAbs2()(1);
}
DDX_CHECK_GRADIENT(singular_values, at(0.5, 0.7), at(1.1, -0.4), at(0.3, 1.2))

double eigenvalues(double a, double b) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> made(positive(a, b));
  return made.eigenvalues()(3) + made.eigenvalues()(0) * made.eigenvalues()(1);
}
DDX_CHECK_GRADIENT(eigenvalues, at(0.5, 0.7), at(1.1, -0.4), at(0.3, 1.2))

double log_likelihood(double a, double b) {
  const Eigen::LLT<Eigen::MatrixXd> made(positive(a, b));
  const Eigen::VectorXd y = side(a + 1, b);
  return -made.matrixLLT().diagonal().array().log().sum() - 0.5 * y.dot(made.solve(y));
}
DDX_CHECK_GRADIENT(log_likelihood, at(0.5, 0.7), at(1.1, -0.4), at(0.3, 1.2))

}  // namespace
