#include "ddx/tensor/axes.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace ddx {
namespace axes_test {

using testing::thrown;
using Ints = Tensor<std::int32_t>;

const Tensor<float> matrix{{1, 2, 3}, {4, 5, 6}};

TEST(Flatten, JoinsAllAxesAndShares) {
  EXPECT_EQ(flatten(matrix), (Tensor<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_TRUE(flatten(matrix).shares_storage_with(matrix));
  EXPECT_EQ(flatten(Tensor<float>(7)).shape(), (Shape{1}));
  EXPECT_EQ(flatten(Tensor<float>({0, 3}, std::vector<float>())).shape(), (Shape{0}));
}

TEST(ExpandDims, AddsAnAxis) {
  EXPECT_EQ(expand_dims(matrix, 0).shape(), (Shape{1, 2, 3}));
  EXPECT_EQ(expand_dims(matrix, 1).shape(), (Shape{2, 1, 3}));
  EXPECT_EQ(expand_dims(matrix, -1).shape(), (Shape{2, 3, 1}));
  EXPECT_EQ(expand_dims(Tensor<float>(7), 0).shape(), (Shape{1}));
  EXPECT_EQ(thrown<UsageError>([] { (void)expand_dims(matrix, 3); }),
            "expand_dims: there is no place for an axis 3; shape [2, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)expand_dims(matrix, -4); }),
            "expand_dims: there is no place for an axis -4; shape [2, 3] (here)");
}

TEST(Squeeze, DropsAxesOfExtentOne) {
  const Tensor<float> x({1, 2, 1, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(squeeze(x), matrix);
  EXPECT_EQ(squeeze(x, {0}).shape(), (Shape{2, 1, 3}));
  EXPECT_EQ(squeeze(x, {-2, 0}).shape(), (Shape{2, 3}));
  EXPECT_EQ(squeeze(Tensor<float>({1, 1}, {5})).shape(), Shape{});
  EXPECT_EQ(thrown<UsageError>([&] { (void)squeeze(x, {1}); }),
            "squeeze: axis 1 has extent 2, not 1; shape [1, 2, 1, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)squeeze(x, {0, -4}); }),
            "squeeze: axes [0, -4] name axis 0 twice; shape [1, 2, 1, 3] (here)");
}

TEST(MoveAxis, KeepsTheOrderOfTheOthers) {
  const Tensor<float> x({2, 3, 4}, std::vector<float>(24));
  EXPECT_EQ(move_axis(x, 0, 2).shape(), (Shape{3, 4, 2}));
  EXPECT_EQ(move_axis(x, 2, 0).shape(), (Shape{4, 2, 3}));
  EXPECT_EQ(move_axis(x, -1, 1).shape(), (Shape{2, 4, 3}));
  EXPECT_EQ(move_axis(x, 1, 1).shape(), (Shape{2, 3, 4}));
  EXPECT_EQ(move_axis(matrix, 0, 1), (Tensor<float>{{1, 4}, {2, 5}, {3, 6}}));
  EXPECT_EQ(thrown<UsageError>([] { (void)move_axis(matrix, 0, 2); }),
            "move_axis: axis 2 is not in [-2, 2); shape [2, 3] (here)");
}

}  // namespace axes_test
}  // namespace ddx
