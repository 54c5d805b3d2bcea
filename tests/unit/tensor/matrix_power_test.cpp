#include "ddx/tensor/matrix_power.h"

#include "ddx/core/error.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/diagonal.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/near_tensors.h"
#include "tests/support/thrown.h"

#include <gtest/gtest.h>

namespace ddx {
namespace matrix_power_test {

using testing::expect_near;
using testing::thrown;

TEST(MatrixPower, MultipliesCopies) {
  // The Fibonacci numbers F(n+1), F(n), F(n-1).
  const Tensor<double> x{{1, 1}, {1, 0}};
  EXPECT_EQ(matrix_power(x, 1), x);
  EXPECT_EQ(matrix_power(x, 8), (Tensor<double>{{34, 21}, {21, 13}}));
  EXPECT_EQ(matrix_power(x, 13), (Tensor<double>{{377, 233}, {233, 144}}));
  expect_near(matrix_power(x, -3), Tensor<double>{{-1, 2}, {2, -3}}, 1e-14);
}

TEST(MatrixPower, ZeroIsTheIdentity) {
  EXPECT_EQ(matrix_power(zeros<float>({2, 3, 3}), 0), broadcast_to(eye<float>(3), {2, 3, 3}));
}

TEST(MatrixPower, NamesWhatDoesNotFit) {
  EXPECT_EQ(thrown<UsageError>([] { (void)matrix_power(zeros<float>({2, 3}), 2); }),
            "matrix_power: the matrices are not square; shape [2, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)matrix_power(zeros<float>({2, 2}), -2); }),
            "inverse: matrix is singular: zero pivot 0; shape [2, 2] (here)");
}

}  // namespace matrix_power_test
}  // namespace ddx
