#include "ddx/tensor/movement.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <gtest/gtest.h>
#include <vector>

namespace ddx {
namespace movement_test {

using testing::thrown;

const Tensor<float> matrix{{1, 2, 3}, {4, 5, 6}};

TEST(Reshape, SharesStorageAndInfersOneExtent) {
  const auto column = reshape(matrix, {-1, 1});
  EXPECT_EQ(column.shape(), (Shape{6, 1}));
  EXPECT_EQ(column.values(), matrix.values());
  EXPECT_EQ(reshape(matrix, Shape{3, 2}), (Tensor<float>{{1, 2}, {3, 4}, {5, 6}}));
  EXPECT_EQ(reshape(Tensor<float>(), {1, 1}), Tensor<float>({1, 1}, {0}))
      << "a symbolic zero becomes a real one";
}

TEST(Reshape, RejectsOtherCounts) {
  EXPECT_EQ(thrown<UsageError>([] { (void)reshape(matrix, {4}); }),
            "reshape: shape [2, 3] has 6 elements and cannot become [4] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)reshape(matrix, {4, -1}); }),
            "reshape: shape [2, 3] has 6 elements and cannot become [4, -1] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)reshape(matrix, {-1, -1}); }),
            "reshape: extents [-1, -1] are negative beyond one -1; shape [2, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)reshape(matrix, {-2, 3}); }),
            "reshape: extents [-2, 3] are negative beyond one -1; shape [2, 3] (here)");
}

TEST(BroadcastTo, RepeatsAndSumToUndoesIt) {
  EXPECT_EQ(broadcast_to(Tensor<float>{1, 2}, {2, 2}), (Tensor<float>{{1, 2}, {1, 2}}));
  EXPECT_EQ(sum_to(matrix, {3}), (Tensor<float>{5, 7, 9}));
  EXPECT_EQ(sum_to(matrix, {2, 1}), (Tensor<float>{{6}, {15}}));
  EXPECT_EQ(sum_to(matrix, {}).item(), 21);
  EXPECT_EQ(thrown<UsageError>([] { (void)broadcast_to(matrix, {3}); }),
            "broadcast_to: shape [2, 3] does not stretch to [3] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)sum_to(matrix, {2}); }),
            "sum_to: shape [2] does not stretch to [2, 3] (here)");
}

TEST(Transpose, ReordersAxes) {
  EXPECT_EQ(transpose(matrix), (Tensor<float>{{1, 4}, {2, 5}, {3, 6}}));
  EXPECT_EQ(transpose(matrix, {0, 1}), matrix);
  EXPECT_EQ(detail::inverse_order({2, 0, -2}), (Indices{1, 2, 0}));
}

TEST(Transpose, RejectsWhatIsNoPermutation) {
  EXPECT_EQ(thrown<UsageError>([] { (void)transpose(matrix, {1}); }),
            "transpose: order [1] has 1 values, not one per axis; shape [2, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)transpose(matrix, {1, -1}); }),
            "transpose: order [1, -1] names axis 1 twice; shape [2, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)transpose(matrix, {0, 2}); }),
            "transpose: axis 2 is not in [-2, 2); shape [2, 3] (here)");
}

TEST(Slice, TakesABox) {
  EXPECT_EQ(slice(matrix, {.start = {0, 1}}), (Tensor<float>{{2, 3}, {5, 6}}));
  EXPECT_EQ(slice(matrix, {.start = {-1, 0}, .step = {1, 2}}), (Tensor<float>{{4, 6}}));
  EXPECT_EQ(slice(matrix, {.stop = {9, -1}}), (Tensor<float>{{1, 2}, {4, 5}}))
      << "bounds are clamped";
  EXPECT_EQ(slice(matrix, {.start = {2, 0}}).shape(), (Shape{0, 3}));
}

TEST(Slice, RejectsListsOfAnotherLengthAndStepsThatAreNotPositive) {
  EXPECT_EQ(thrown<UsageError>([] { (void)slice(matrix, {.start = {1}}); }),
            "slice: start [1] has 1 values, not one per axis; shape [2, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)slice(matrix, {.stop = {1}}); }),
            "slice: stop [1] has 1 values, not one per axis; shape [2, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)slice(matrix, {.step = {1, 0}}); }),
            "slice: step [1, 0] is not positive on axis 1; shape [2, 3] (here)");
}

TEST(Pad, AddsABorder) {
  EXPECT_EQ(pad(Tensor<float>{1, 2}, {1}, {2}, 9), (Tensor<float>{9, 1, 2, 9, 9}));
  EXPECT_EQ(thrown<UsageError>([] { (void)pad(matrix, {1}, {0, 0}); }),
            "pad: low [1] has 1 values, not one per axis; shape [2, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)pad(matrix, {0, 0}, {1}); }),
            "pad: high [1] has 1 values, not one per axis; shape [2, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)pad(matrix, {0, -1}, {0, 0}); }),
            "pad: amounts [0, -1] and [0, 0] are negative on axis 1; shape [2, 3] (here)");
}

TEST(Concatenate, JoinsAlongAnAxis) {
  EXPECT_EQ(concatenate(std::vector{matrix, Tensor<float>{{7, 8, 9}}}),
            (Tensor<float>{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}));
  EXPECT_EQ(concatenate(std::vector{matrix, Tensor<float>{{7}, {8}}}, -1),
            (Tensor<float>{{1, 2, 3, 7}, {4, 5, 6, 8}}));
}

TEST(Concatenate, RejectsNothingAndPartsThatDoNotFit) {
  EXPECT_EQ(thrown<UsageError>([] { (void)concatenate(std::vector<Tensor<float>>{}); }),
            "concatenate: there is no part (here)");
  EXPECT_EQ(
      thrown<UsageError>([] { (void)concatenate(std::vector{matrix, Tensor<float>{{7}, {8}}}); }),
      "concatenate: parts differ beyond axis 0; shapes [2, 3] and [2, 1] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)concatenate(std::vector{matrix, Tensor<float>{7}}); }),
            "concatenate: parts differ beyond axis 0; shapes [2, 3] and [1] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)concatenate(std::vector{matrix}, 2); }),
            "concatenate: axis 2 is not in [-2, 2); shape [2, 3] (here)");
}

}  // namespace movement_test
}  // namespace ddx
