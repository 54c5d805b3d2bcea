#include "ddx/tensor/tiling.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>

namespace ddx {
namespace tiling_test {

using testing::thrown;
using Ints = Tensor<std::int32_t>;

const Tensor<float> matrix{{1, 2, 3}, {4, 5, 6}};

TEST(Tile, PutsCopiesBesideEachOther) {
  EXPECT_EQ(tile(Tensor<float>{1, 2}, {3}), (Tensor<float>{1, 2, 1, 2, 1, 2}));
  EXPECT_EQ(tile(Tensor<float>{{1, 2}, {3, 4}}, {2, 2}),
            (Tensor<float>{{1, 2, 1, 2}, {3, 4, 3, 4}, {1, 2, 1, 2}, {3, 4, 3, 4}}));
  EXPECT_EQ(tile(matrix, {0, 1}).shape(), (Shape{0, 3}));
  EXPECT_EQ(tile(Tensor<float>({1, 1, 1, 1, 1, 1}, {5}), {1, 1, 1, 1, 2, 1}).shape(),
            (Shape{1, 1, 1, 1, 2, 1}))
      << "only repeated axes count";
}

TEST(Tile, RejectsOtherListsAndNegativeRepeats) {
  EXPECT_EQ(thrown<UsageError>([] { (void)tile(matrix, {2}); }),
            "tile: repeats [2] has 1 values, not one per axis; shape [2, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)tile(matrix, {2, -1}); }),
            "tile: repeat -1 is negative; shape [2, 3] (here)");
  EXPECT_EQ(
      thrown<UsageError>([] { (void)tile(Tensor<float>({1, 1, 1, 1, 1}, {5}), {2, 2, 2, 2, 2}); }),
      "tile: axes and repeated axes are 10 together, above the largest rank supported, 8; "
      "shape [1, 1, 1, 1, 1] (here)");
}

TEST(Repeat, RepeatsEachElement) {
  EXPECT_EQ(repeat(Tensor<float>{1, 2}, 2, 0), (Tensor<float>{1, 1, 2, 2}));
  EXPECT_EQ(repeat(matrix, 2, 1), (Tensor<float>{{1, 1, 2, 2, 3, 3}, {4, 4, 5, 5, 6, 6}}));
  EXPECT_EQ(repeat(matrix, 2, -2), (Tensor<float>{{1, 2, 3}, {1, 2, 3}, {4, 5, 6}, {4, 5, 6}}));
  EXPECT_EQ(thrown<UsageError>([] { (void)repeat(matrix, -1, 0); }),
            "repeat: repeat -1 is negative; shape [2, 3] (here)");
}

}  // namespace tiling_test
}  // namespace ddx
