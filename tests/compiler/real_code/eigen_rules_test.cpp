// Eigen with the derivatives of ddx/eigen.h: matrices of sizes at which Eigen works block by block.

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

double products(double a, double b) {
  const Matrix<> m = general(a, b, 23, 31);
  const Matrix<double, Eigen::RowMajor> n = general<double, Eigen::RowMajor>(b, a, 31, 17);
  Matrix<> sum = m * n * a;
  sum.noalias() -= b * (n.transpose() * m.transpose()).transpose();
  sum.middleCols(2, 9).noalias() += m.topRows(23) * n.leftCols(9);
  const Matrix<double, Eigen::RowMajor> r = sum * n.transpose();
  return r(3, 4) / 100 + r.block(2, 3, 5, 6).sum() / 1000;
}
DDX_CHECK_GRADIENT(products, at(0.5, 0.7), at(1.1, -0.4), at(0.3, 1.2))

double triangles(double a, double b) {
  const Matrix<> m = general(a, b, 37, 37) / 9 + 3 * Matrix<>::Identity(37, 37);
  const Matrix<double, Eigen::RowMajor> n = m.transpose();
  Matrix<> x = general(b, a, 37, 6);
  m.triangularView<Eigen::Lower>().solveInPlace(x);
  n.triangularView<Eigen::UnitUpper>().solveInPlace(x);
  Matrix<> y = x.transpose();
  m.triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(y);
  Eigen::VectorXd v = y.row(2);
  n.triangularView<Eigen::UnitLower>().solveInPlace(v);
  m.triangularView<Eigen::Lower>().transpose().solveInPlace(v);
  return y(1, 30) + y.sum() / 10 + v(0) + v(36);
}
DDX_CHECK_GRADIENT(triangles, at(0.5, 0.7), at(1.1, -0.4), at(0.3, 1.2))

double lu_solution(double a, double b) {
  const Eigen::PartialPivLU<Matrix<>> lu(general(a, b, 40, 40));
  const Eigen::VectorXd x = lu.solve(Eigen::VectorXd::LinSpaced(40, a, b + 2));
  const Matrix<> y = lu.solve(general(b, a, 40, 3));
  return x.sum() + x(3) * y(11, 2) + std::log(std::abs(lu.determinant())) + lu.rcond() / 100;
}
DDX_CHECK_GRADIENT(lu_solution, at(0.5, 0.7), at(1.1, -0.4), at(0.3, 1.2))

double lu_by_rows(double a, double b) {
  const Matrix<double, Eigen::RowMajor> m = general<double, Eigen::RowMajor>(a, b, 22, 22);
  const Matrix<> inverse = m.partialPivLu().inverse();
  return inverse(2, 3) + 10 * inverse(20, 0) + inverse.trace();
}
DDX_CHECK_GRADIENT(lu_by_rows, at(0.5, 0.7), at(1.1, -0.4), at(0.3, 1.2))

double upper_cholesky(double a, double b) {
  const Eigen::LLT<Matrix<>, Eigen::Upper> made(positive(a, b, 33));
  const Matrix<> u = made.matrixU();
  return u(2, 30) + u.row(4).sum() + u(32, 32) + made.rcond();
}
DDX_CHECK_GRADIENT(upper_cholesky, at(0.5, 0.7), at(1.1, -0.4), at(0.3, 1.2))

double cholesky_by_rows(double a, double b) {
  const Eigen::LLT<Matrix<double, Eigen::RowMajor>> made(positive<Eigen::RowMajor>(a, b, 19));
  const Matrix<> l = made.matrixL();
  return l(18, 3) + l.col(4).sum() + l(18, 18);
}
DDX_CHECK_GRADIENT(cholesky_by_rows, at(0.5, 0.7), at(1.1, -0.4), at(0.3, 1.2))

float lu_in_float(float a, float b) {
  const Matrix<float> m = general<float>(a, b, 24, 24);
  const Eigen::VectorXf x = m.partialPivLu().solve(Eigen::VectorXf::LinSpaced(24, a, b + 2));
  return x.dot(m * x) / 10;
}

TEST(EigenRules, FloatAgreesWithDouble) {
  const auto in_double = [](double a, double b) {
    const Matrix<> m = general(a, b, 24, 24);
    const Eigen::VectorXd x = m.partialPivLu().solve(Eigen::VectorXd::LinSpaced(24, a, b + 2));
    return x.dot(m * x) / 10;
  };
  const auto [by_a, by_b] = ddx::gradient(lu_in_float, 0.5F, 0.75F);
  const auto [want_a, want_b] = ddx::gradient(in_double, 0.5, 0.75);
  EXPECT_NEAR(by_a, want_a, 1e-3);
  EXPECT_NEAR(by_b, want_b, 1e-3);
}

double constants(double a, double b) {
  Matrix<> m = Matrix<>::Constant(40, 30, a * b);
  const Matrix<> copy = m;
  m.setConstant(b);
  m.row(3) += copy.row(5);
  return (m * copy.transpose()).sum() / 1000;
}
DDX_CHECK_GRADIENT(constants, at(0.5, 0.7), at(1.1, -0.4), at(0.3, 1.2))

/// Eigen gives up at the first pivot that is not positive: no derivative is made up for what it
/// leaves in memory.
TEST(EigenRules, DerivativesOfFailedDecompositionsAreNaN) {
  const auto failed = [](double a) {
    Matrix<> m = Matrix<>::Identity(20, 20) * a;
    m(7, 7) = -1;
    const Eigen::LLT<Matrix<>> made(m);
    return made.info() == Eigen::Success ? 0.0 : made.matrixLLT()(3, 3);
  };
  EXPECT_TRUE(std::isnan(ddx::gradient(failed, 2.0)));
}

}  // namespace
