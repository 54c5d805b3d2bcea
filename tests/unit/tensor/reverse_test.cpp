#include "ddx/tensor/reverse.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>

namespace ddx {
namespace reverse_test {

using testing::thrown;
using Ints = Tensor<std::int32_t>;

const Tensor<float> matrix{{1, 2, 3}, {4, 5, 6}};

TEST(Reverse, TurnsTheChosenAxes) {
  EXPECT_EQ(reverse(matrix), (Tensor<float>{{6, 5, 4}, {3, 2, 1}}));
  EXPECT_EQ(reverse(matrix, {0}), (Tensor<float>{{4, 5, 6}, {1, 2, 3}}));
  EXPECT_EQ(reverse(matrix, {-1}), (Tensor<float>{{3, 2, 1}, {6, 5, 4}}));
  EXPECT_EQ(reverse(Ints{1, 2}), (Ints{2, 1}));
  EXPECT_EQ(thrown<UsageError>([] { (void)reverse(matrix, {0, -2}); }),
            "reverse: axes [0, -2] name axis 0 twice; shape [2, 3] (here)");
}

}  // namespace reverse_test
}  // namespace ddx
