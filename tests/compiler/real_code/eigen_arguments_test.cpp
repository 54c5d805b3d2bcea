// Matrices of Eigen as arguments and results of functions that are differentiated, by ddx/eigen.h.
// Values by hand.

#include "ddx/ad.h"
#include "ddx/core/error.h"
#include "ddx/eigen.h"

#include <gtest/gtest.h>
#include <vector>

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd numbers(std::initializer_list<double> list) {
  return Eigen::Map<const VectorXd>(list.begin(), static_cast<Eigen::Index>(list.size()));
}

template <class A, class B>
void expect_near(const A& a, const B& b) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  EXPECT_LT((a - b).cwiseAbs().sum(), 1e-10) << a << "\ninstead of\n" << b;
}

/// (x · x) Σ x: gradient 2 x Σ x + x · x, Hessian 2 Σ x on the diagonal, and 2 x_i + 2 x_j.
double cubic(const VectorXd& x) {
  return x.dot(x) * x.sum();
}

TEST(EigenArguments, AVectorHasAGradient) {
  const VectorXd x = numbers({1, 2, 3});
  expect_near(ddx::gradient(cubic, x), numbers({26, 38, 50}));
  const auto [value, gradient] = ddx::value_with_gradient(cubic, x);
  EXPECT_DOUBLE_EQ(value, 84);
  expect_near(gradient, numbers({26, 38, 50}));
}

TEST(EigenArguments, AVectorHasDerivativesAlongDirections) {
  const VectorXd x = numbers({1, 2, 3});
  const VectorXd v = numbers({1, 1, 1});
  EXPECT_DOUBLE_EQ(ddx::jvp(cubic, ddx::along(v), x).tangent, 114);
  EXPECT_DOUBLE_EQ(ddx::jvp(cubic, ddx::along(VectorXd()), x).tangent, 0);  // Any zero.
  EXPECT_THROW((void)ddx::jvp(cubic, ddx::along(numbers({1, 1})), x), ddx::UsageError);
}

TEST(EigenArguments, AVectorHasSecondDerivatives) {
  const VectorXd x = numbers({1, 2, 3});
  expect_near(ddx::hvp(cubic, x, numbers({1, 1, 1})), numbers({30, 36, 42}));
  const auto hessian = ddx::hessian(cubic, x);
  EXPECT_NEAR(hessian[0][0], 12 + 4, 1e-10);
  EXPECT_NEAR(hessian[0][1], 2 + 4, 1e-10);
  EXPECT_NEAR(hessian[2][1], 6 + 4, 1e-10);
}

/// xᵀ A x tr A.
double quadratic(const MatrixXd& a, const VectorXd& x) {
  return x.dot(a * x) * a.trace();
}

TEST(EigenArguments, AMatrixHasAGradientBesideAVector) {
  MatrixXd a(3, 3);
  a << 1, 2, 3, 4, 5, 6, 7, 8, 10;
  const VectorXd x = numbers({1, 2, 3});
  const auto [by_a, by_x] = ddx::gradient(quadratic, a, x);
  const MatrixXd outer = x * x.transpose();
  expect_near(by_a, MatrixXd(16 * outer + 237 * MatrixXd::Identity(3, 3)));
  expect_near(by_x, VectorXd(16 * (a + a.transpose()) * x));
  expect_near(ddx::gradient(quadratic, ddx::wrt<1>, a, x), by_x);
}

/// Row i is x_i² Σ x.
VectorXd squares(const VectorXd& x) {
  return (x.array() * x.array() * x.sum()).matrix();
}

TEST(EigenArguments, AResultThatIsAVectorHasPullbacksAndTangents) {
  const VectorXd x = numbers({1, 2, 3});
  MatrixXd jacobian = MatrixXd::Zero(3, 3);  // x_i² + 2 x_i Σ x on the diagonal.
  for (int i = 0; i < 3; ++i) {
    jacobian.row(i).setConstant(x[i] * x[i]);
    jacobian(i, i) += 12 * x[i];
  }
  const VectorXd seed = numbers({1, -2, 0.5});
  const auto [value, pullback] = ddx::value_with_pullback(squares, x);
  expect_near(value, numbers({6, 24, 54}));
  expect_near(pullback(seed), VectorXd(jacobian.transpose() * seed));
  expect_near(ddx::jvp(squares, ddx::along(seed), x).tangent, VectorXd(jacobian * seed));
  const auto rows = ddx::jacobian(squares, x);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)], jacobian(i, j),
                  1e-10);
    }
  }
}

using Wide = Eigen::Array<float, 2, Eigen::Dynamic, Eigen::RowMajor>;

/// Of a struct of Eigen's classes in a vector.
struct Layer {
  MatrixXd weight;
  VectorXd bias;
  DDX_DIFFERENTIABLE(Layer, weight, bias)
};

double squared_outputs(const std::vector<Layer>& layers, const VectorXd& x) {
  VectorXd y = x;
  for (const Layer& layer : layers) {
    y = layer.weight * y + layer.bias;
  }
  return y.squaredNorm();
}

TEST(EigenArguments, ClassesOfMatricesHaveGradients) {
  MatrixXd a(2, 2);
  a << 1, 2, 3, 4;
  const std::vector<Layer> layers{{a, numbers({1, 1})}, {2 * a, numbers({0, -1})}};
  const VectorXd x = numbers({1, -1});
  const VectorXd inner = a * x + numbers({1, 1});           // {0, 0}
  const VectorXd outer = 2 * a * inner + numbers({0, -1});  // {0, -1}
  const auto gradient = ddx::gradient(squared_outputs, ddx::wrt<0>, layers, x);
  ASSERT_EQ(gradient.size(), 2U);
  expect_near(gradient[1].bias, VectorXd(2 * outer));
  expect_near(gradient[1].weight, MatrixXd(2 * outer * inner.transpose()));
  expect_near(gradient[0].bias, VectorXd(4 * a.transpose() * outer));
  expect_near(gradient[0].weight, MatrixXd(4 * a.transpose() * outer * x.transpose()));
}

TEST(EigenArguments, ArraysByRowsOfFloatsHaveGradients) {
  Wide x(2, 3);
  x << 1, 2, 3, 4, 5, 6;
  const auto f = [](const Wide& a) { return (a.row(0) * a.row(1)).sum(); };
  const Wide gradient = ddx::gradient(f, x);
  Wide expected(2, 3);
  expected << 4, 5, 6, 1, 2, 3;
  EXPECT_EQ((gradient - expected).abs().sum(), 0.0F);
}

TEST(EigenArguments, AVectorWithoutElementsHasAGradientWithoutElements) {
  const auto f = [](const VectorXd& x) { return x.sum() + 1; };
  EXPECT_EQ(ddx::gradient(f, VectorXd()).size(), 0);
}

}  // namespace
