#include "ddx/ad/matrix.h"

#include "ddx/core/error.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::matrix_test {

template <class F>
std::string thrown_by_access(F f) {
  try {
    f();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

template <class Matrix>
void expect_every_access_to_agree(Matrix matrix) {
  matrix(0, 1) = 7;
  matrix[1][2] = 8;
  const Matrix& seen = matrix;
  EXPECT_EQ(seen[0][1], 7);
  EXPECT_EQ(seen(1, 2), 8);
  EXPECT_EQ(matrix[0][1], 7);
  EXPECT_EQ(seen.numbers[5], 8);
#ifdef __cpp_multidimensional_subscript
  matrix[1, 0] = 9;
  EXPECT_EQ((seen[1, 0]), 9);
  EXPECT_EQ(thrown_by_access([&] { (void)seen[2, 0]; }),
            "DerivativeMatrix: row 2 of a matrix with 2 rows");
#endif
  double sum = 0;
  for (const double number : seen[1]) {
    sum += number;
  }
  EXPECT_EQ(sum, 8);
  EXPECT_EQ(seen[1].size(), 3U);
  EXPECT_EQ(thrown_by_access([&] { (void)seen(2, 0); }),
            "DerivativeMatrix: row 2 of a matrix with 2 rows");
  EXPECT_EQ(thrown_by_access([&] { (void)matrix(0, 3); }),
            "DerivativeMatrix: column 3 of a matrix with 3 columns");
  EXPECT_EQ(thrown_by_access([&] { (void)seen[2]; }),
            "DerivativeMatrix: row 2 of a matrix with 2 rows");
  EXPECT_EQ(thrown_by_access([&] { matrix[1][3] = 1; }),
            "DerivativeMatrix: column 3 of a matrix with 3 columns");
}

TEST(DerivativeMatrix, TakesEveryFormOfAccess) {
  expect_every_access_to_agree(DerivativeMatrix<double, 2, 3>{});
  expect_every_access_to_agree(DerivativeMatrix<double>{2, 3, std::vector<double>(6)});
}

TEST(DerivativeMatrix, OfNothingHasNoElement) {
  const DerivativeMatrix<double> empty;
  EXPECT_EQ(thrown_by_access([&] { (void)empty[0]; }),
            "DerivativeMatrix: row 0 of a matrix with 0 rows");
}

}  // namespace ddx::matrix_test
