#include "ddx/tensor/matrix_norm.h"

#include "ddx/core/error.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/diagonal.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/near_tensors.h"
#include "tests/support/thrown.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>

namespace ddx {
namespace matrix_norm_test {

using testing::expect_near;
using testing::thrown;

const Tensor<double> two{{{3, 0}, {0, -4}}, {{0, 1}, {1, 0}}};

TEST(MatrixNorm, TakesSingularValues) {
  expect_near(spectral_norm(two), Tensor<double>{4, 1}, 1e-15);
  expect_near(nuclear_norm(two), Tensor<double>{7, 2}, 1e-15);
  expect_near(cond(two), Tensor<double>{4.0 / 3, 1}, 1e-15);
  expect_near(nuclear_norm(zeros<double>({3, 0})), Tensor<double>(0.0), 0);
}

TEST(MatrixNorm, OfTheHilbertMatrixIsBadlyConditioned) {
  // 1.4951e7, N. J. Higham, "Accuracy and stability of numerical algorithms", table 28.1.
  EXPECT_NEAR(cond(testing::hilbert<double>(6)).item(), 1.4951e7, 1e3);
}

TEST(MatrixNorm, OfASingularMatrixIsInfinitelyConditioned) {
  EXPECT_EQ(cond(Tensor<double>{{1, 0}, {0, 0}}), Tensor<double>(HUGE_VAL));
}

TEST(MatrixRank, CountsWhatIsNotZeroButForRounding) {
  EXPECT_EQ(matrix_rank(Tensor<double>{{1, 2, 3}, {4, 5, 6}, {5, 7, 9}}), Tensor<std::int32_t>(2));
  EXPECT_EQ(matrix_rank(ones<float>({2, 5, 3})), (Tensor<std::int32_t>{1, 1}));
  EXPECT_EQ(matrix_rank(zeros<float>({3, 3})), Tensor<std::int32_t>(0));
  EXPECT_EQ(matrix_rank(zeros<float>({3, 0})), Tensor<std::int32_t>(0));
  EXPECT_EQ(matrix_rank(two, {.tolerance = 0.8}), (Tensor<std::int32_t>{1, 2}));
}

TEST(MatrixNorm, NamesWhatHasNoValue) {
  EXPECT_EQ(thrown<UsageError>([] { (void)spectral_norm(zeros<float>({2})); }),
            "svdvals: the operand is no matrix; shape [2] (here)");
}

}  // namespace matrix_norm_test
}  // namespace ddx
