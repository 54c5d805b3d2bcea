#include "ddx/tensor/stacking.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace ddx {
namespace stacking_test {

using testing::thrown;
using Ints = Tensor<std::int32_t>;

const Tensor<float> matrix{{1, 2, 3}, {4, 5, 6}};

TEST(Stack, MakesANewAxis) {
  const Tensor<float> a{1, 2};
  const Tensor<float> b{3, 4};
  EXPECT_EQ(stack(std::vector{a, b}), (Tensor<float>{{1, 2}, {3, 4}}));
  EXPECT_EQ(stack(std::vector{a, b}, 1), (Tensor<float>{{1, 3}, {2, 4}}));
  EXPECT_EQ(stack(std::vector{a, b}, -1), (Tensor<float>{{1, 3}, {2, 4}}));
  EXPECT_EQ(stack(std::vector{Tensor<float>(1), Tensor<float>(2)}), a);
}

TEST(Stack, RejectsNothingAndDifferentShapes) {
  EXPECT_EQ(thrown<UsageError>([] { (void)stack(std::vector<Tensor<float>>{}); }),
            "stack: there is no part (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)stack(std::vector{matrix, Tensor<float>{1}}); }),
            "stack: parts differ in shape; shapes [2, 3] and [1] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)stack(std::vector{matrix}, 3); }),
            "stack: there is no place for an axis 3; shape [2, 3] (here)");
}

TEST(Unstack, UndoesStack) {
  EXPECT_EQ(unstack(matrix), (std::vector{Tensor<float>{1, 2, 3}, Tensor<float>{4, 5, 6}}));
  EXPECT_EQ(stack(unstack(matrix, -1), -1), matrix);
  EXPECT_TRUE(unstack(Tensor<float>({0, 3}, std::vector<float>())).empty());
  EXPECT_EQ(thrown<UsageError>([] { (void)unstack(Tensor<float>(1)); }),
            "unstack: axis 0 is not in [0, 0); shape [] (here)");
}

}  // namespace stacking_test
}  // namespace ddx
