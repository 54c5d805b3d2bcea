#include "ddx/tensor/rearrangement.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_windows.h"
#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace ddx {
namespace rearrangement_test {

using testing::thrown;

TEST(Rearrangement, GivesTheOrderThatWasRecorded) {
  const auto rows = testing::recorded_windows("rearrangement");
  ASSERT_EQ(rows.size(), 2U);
  for (const auto& row : rows) {
    const auto x = testing::numbers(testing::shape_in(row, "x"), 1);
    const auto y = depth_to_space(x, row["block"]);
    testing::expect_in(row, "y", y);
    EXPECT_EQ(space_to_depth(y, row["block"]), x);
  }
}

TEST(Rearrangement, SpreadsChannelsOverTheBlockRowByRow) {
  const Tensor<std::int32_t> x({1, 1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  const auto y = depth_to_space(x, 2);
  EXPECT_EQ(y, (Tensor<std::int32_t>({1, 2, 4, 1}, {1, 2, 5, 6, 3, 4, 7, 8})));
  EXPECT_EQ(space_to_depth(y, 2), x);
  EXPECT_EQ(depth_to_space(x, 1), x);
  EXPECT_EQ(space_to_depth(zeros<float>({0, 4, 6, 1}), 2).shape(), (Shape{0, 2, 3, 4}));
}

TEST(Rearrangement, NamesWhatDoesNotFit) {
  const auto x = zeros<float>({1, 4, 5, 6});
  EXPECT_EQ(thrown<UsageError>([&] { (void)depth_to_space(x, 2); }),
            "depth_to_space: channels 6 are no multiple of the block's 4 pixels; shape [1, 4, 5, "
            "6] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)space_to_depth(x, 2); }),
            "space_to_depth: rows 4 and columns 5 are not multiples of the block, 2; shape [1, 4, "
            "5, 6] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)space_to_depth(x, 0); }),
            "space_to_depth: block 0 is not in [1, 2^30]; shape [1, 4, 5, 6] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)depth_to_space(zeros<float>({4, 4}), 2); }),
            "depth_to_space: rank 2 is not 4; shape [4, 4] (here)");
}

}  // namespace rearrangement_test
}  // namespace ddx
