#include "ddx/tensor/matrix_transpose.h"

#include "ddx/core/error.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <gtest/gtest.h>

namespace ddx {
namespace matrix_transpose_test {

using testing::thrown;

TEST(MatrixTranspose, ExchangesTheLastTwoAxes) {
  const Tensor<float> x{{{1, 2, 3}, {4, 5, 6}}, {{7, 8, 9}, {10, 11, 12}}};
  EXPECT_EQ(matrix_transpose(x),
            (Tensor<float>{{{1, 4}, {2, 5}, {3, 6}}, {{7, 10}, {8, 11}, {9, 12}}}));
  EXPECT_EQ(matrix_transpose(zeros<float>({3, 0, 2})).shape(), (Shape{3, 2, 0}));
}

TEST(MatrixTranspose, NamesWhatIsNoMatrix) {
  EXPECT_EQ(thrown<UsageError>([] { (void)matrix_transpose(Tensor<float>{1, 2}); }),
            "matrix_transpose: the operand is no matrix; shape [2] (here)");
}

}  // namespace matrix_transpose_test
}  // namespace ddx
