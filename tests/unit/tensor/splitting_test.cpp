#include "ddx/tensor/splitting.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>

namespace ddx {
namespace splitting_test {

using testing::thrown;
using Ints = Tensor<std::int32_t>;

const Tensor<float> matrix{{1, 2, 3}, {4, 5, 6}};

TEST(Split, CutsAlongAnAxis) {
  const auto parts = split(matrix, {1, 0, 2}, 1);
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts[0], (Tensor<float>({2, 1}, {1, 4})));
  EXPECT_EQ(parts[1].shape(), (Shape{2, 0}));
  EXPECT_EQ(parts[2], (Tensor<float>{{2, 3}, {5, 6}}));
  EXPECT_EQ(split_equally(matrix, 2)[1], (Tensor<float>{{4, 5, 6}}));
  EXPECT_EQ(split_equally(matrix, 3, -1)[2], (Tensor<float>({2, 1}, {3, 6})));
}

TEST(Split, RejectsSizesThatDoNotMakeUpTheAxis) {
  EXPECT_EQ(thrown<UsageError>([] { (void)split(matrix, {1, 1}, 1); }),
            "split: the sizes sum to 2, not to the extent of axis 1; shape [2, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)split(matrix, {1, 3}, 1); }),
            "split: size 3 does not fit at position 1 of axis 1; shape [2, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)split(matrix, {4, -1}, 1); }),
            "split: size 4 does not fit at position 0 of axis 1; shape [2, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)split_equally(matrix, 2, 1); }),
            "split_equally: extent 3 of axis 1 is not made up of 2 equal parts; shape [2, 3] "
            "(here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)split_equally(matrix, 0); }),
            "split_equally: extent 2 of axis 0 is not made up of 0 equal parts; shape [2, 3] "
            "(here)");
}

}  // namespace splitting_test
}  // namespace ddx
