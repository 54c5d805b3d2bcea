#include "ddx/tensor/scatter.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>

namespace ddx {
namespace scatter_test {

using testing::thrown;
using Ints = Tensor<std::int32_t>;

const Tensor<float> matrix{{1, 2, 3}, {4, 5, 6}};

TEST(ScatterAdd, AddsSlicesThatMayMeet) {
  EXPECT_EQ(scatter_add(matrix, Ints{1, 1}, Tensor<float>{{1, 1, 1}, {10, 20, 30}}),
            (Tensor<float>{{1, 2, 3}, {15, 26, 37}}));
  EXPECT_EQ(scatter_add(matrix, Ints{2}, Tensor<float>({2, 1}, {1, 2}), 1),
            (Tensor<float>{{1, 2, 4}, {4, 5, 8}}));
}

TEST(ScatterAdd, RejectsWhatDoesNotFit) {
  EXPECT_EQ(thrown<UsageError>([] { (void)scatter_add(matrix, Ints{1}, Tensor<float>{1, 2}); }),
            "scatter_add: the updates have shape [2], not [1, 3], for indices of shape [1] (here)");
  EXPECT_EQ(
      thrown<UsageError>([] { (void)scatter_add(matrix, Ints{2}, Tensor<float>{{1, 2, 3}}); }),
      "scatter_add: index 2 at position 0 is not in [0, 2) (here)");
}

TEST(SegmentSum, SumsTheRowsOfEachSegment) {
  EXPECT_EQ(segment_sum(matrix, Ints{2, 2}, 4),
            (Tensor<float>{{0, 0, 0}, {0, 0, 0}, {5, 7, 9}, {0, 0, 0}}));
  EXPECT_EQ(segment_sum(matrix, Ints{{0, 1, 0}, {1, 1, 0}}, 2), (Tensor<float>{10, 11}));
  EXPECT_EQ(thrown<UsageError>([] { (void)segment_sum(matrix, Ints{0}, 2); }),
            "segment_sum: the operand does not begin with the axes of the segments, or the count 2 "
            "is negative; shapes [2, 3] and [1] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)segment_sum(matrix, Ints{0, 2}, 2); }),
            "segment_sum: index 2 at position 1 is not in [0, 2) (here)");
}

}  // namespace scatter_test
}  // namespace ddx
