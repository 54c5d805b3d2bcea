#include "ddx/ad/detail/dense_factors.h"

#include "ddx/core/error.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

namespace ddx::detail::dense_factors_test {

using Vector = std::vector<double>;

std::string message_of(std::size_t count, const Vector& numbers) {
  try {
    (void)DenseFactors<double>(count, numbers);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(DenseFactors, SolvesAMatrixAndItsTranspose) {
  // The first pivot is zero, and the exchanges of rows are no involution.
  const Vector a{0, 2, 1, 1, 0, 3, 4, 1, 0};
  const DenseFactors<double> factors(3, a);
  const Vector x{1, -2, 3};
  const Vector b{-1, 10, 2}, transposed_b{10, 5, -5};  // a x, and a^T x.
  const Vector solved = factors.solve(b), transposed = factors.solve_transposed(transposed_b);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(solved[i], x[i], 1e-15);
    EXPECT_NEAR(transposed[i], x[i], 1e-15);
  }
}

TEST(DenseFactors, ReproducesRightHandSidesOfLargerMatrices) {
  const std::size_t n = 25;
  Vector a(n * n), b(n);
  for (std::size_t i = 0; i < n; ++i) {
    b[i] = std::cos(static_cast<double>(i));
    for (std::size_t j = 0; j < n; ++j) {
      a[i * n + j] = std::sin(static_cast<double>(7 * i * i + 3 * j * j + i * j));
    }
  }
  const DenseFactors<double> factors(n, a);
  const Vector x = factors.solve(b), y = factors.solve_transposed(b);
  for (std::size_t i = 0; i < n; ++i) {
    double row = 0, column = 0;
    for (std::size_t j = 0; j < n; ++j) {
      row += a[i * n + j] * x[j];
      column += a[j * n + i] * y[j];
    }
    EXPECT_NEAR(row, b[i], 1e-12);
    EXPECT_NEAR(column, b[i], 1e-12);
  }
}

TEST(DenseFactors, OfNothingSolvesNothing) {
  const DenseFactors<float> factors(0, {});
  EXPECT_TRUE(factors.solve({}).empty());
  EXPECT_TRUE(factors.solve_transposed({}).empty());
}

TEST(DenseFactors, RefusesASingularMatrix) {
  EXPECT_EQ(message_of(2, {1, 2, 2, 4}),
            "implicit: the Jacobian of the residual is singular at the solution: pivot 1 of 2 is "
            "0, at most 1.77636e-15");
  // In exact arithmetic the last pivot is 0; rounding leaves something.
  EXPECT_NE(message_of(3, {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}), "nothing was thrown");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(message_of(2, {1, nan, 0, 1}), "nothing was thrown");
  EXPECT_EQ(message_of(1, {1e-300}), "nothing was thrown");
}

}  // namespace ddx::detail::dense_factors_test
