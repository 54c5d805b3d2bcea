#include "ddx/nn/detail/orthonormal.h"

#include "ddx/core/random_key.h"
#include "ddx/tensor/random.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace ddx::nn::detail {
namespace orthonormal_test {

/// The product of columns a of x and b of y, both with `columns` columns.
double column_product(const std::vector<double>& x, std::size_t a, const std::vector<double>& y,
                      std::size_t b, std::size_t columns) {
  double product = 0;
  for (std::size_t row = 0; row < x.size(); row += columns) {
    product += x[row + a] * y[row + b];
  }
  return product;
}

/// Expects that the columns are orthonormal, and that Q^T matrix is upper triangular with a
/// diagonal that is not negative.
void expect_q(const std::vector<double>& matrix, std::size_t rows, std::size_t columns) {
  const auto q = orthonormal_columns(matrix, rows, columns);
  ASSERT_EQ(q.size(), matrix.size());
  for (std::size_t a = 0; a < columns; ++a) {
    for (std::size_t b = 0; b < columns; ++b) {
      EXPECT_NEAR(column_product(q, a, q, b, columns), a == b ? 1 : 0, 1e-14) << a << ", " << b;
      const double r = column_product(q, a, matrix, b, columns);
      if (a > b) {
        EXPECT_NEAR(r, 0, 1e-13) << a << ", " << b;
      } else if (a == b) {
        EXPECT_GE(r, -1e-14) << a;
      }
    }
  }
}

TEST(Orthonormal, IsTheQOfTheMatrix) {
  for (const auto& [rows, columns] :
       std::vector<std::pair<std::int64_t, std::int64_t>>{{1, 1}, {2, 1}, {3, 3}, {40, 17}}) {
    expect_q(random_normal<double>(RandomKey(3), {rows, columns}).values(),
             static_cast<std::size_t>(rows), static_cast<std::size_t>(columns));
  }
}

TEST(Orthonormal, OfAnOrthonormalMatrixIsItself) {
  const std::vector<double> rotation{0.6, -0.8, 0.8, 0.6};
  const auto q = orthonormal_columns(rotation, 2, 2);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(q[i], rotation[i], 1e-15);
  }
}

TEST(Orthonormal, DependentColumnsGiveOrthonormalOnes) {
  expect_q({1, 2, 2, 4, 3, 6}, 3, 2);
  expect_q({0, 0, 0, 0, 0, 0}, 3, 2);
}

TEST(Orthonormal, NothingStaysNothing) {
  EXPECT_TRUE(orthonormal_columns({}, 0, 0).empty());
  EXPECT_TRUE(orthonormal_columns({}, 5, 0).empty());
}

}  // namespace orthonormal_test
}  // namespace ddx::nn::detail
