#include "ddx/train/position.h"

#include <gtest/gtest.h>

namespace ddx::train {
namespace position_test {

TEST(Position, StartsBeforeTheFirstStep) {
  EXPECT_EQ(Position(), (Position{.epoch = 0, .step = 0, .samples = 0, .loss_sum = 0}));
}

TEST(Position, EachPartTellsPositionsApart) {
  const Position position{.epoch = 1, .step = 2, .samples = 3, .loss_sum = 0.5};
  EXPECT_NE(position, (Position{.epoch = 9, .step = 2, .samples = 3, .loss_sum = 0.5}));
  EXPECT_NE(position, (Position{.epoch = 1, .step = 9, .samples = 3, .loss_sum = 0.5}));
  EXPECT_NE(position, (Position{.epoch = 1, .step = 2, .samples = 9, .loss_sum = 0.5}));
  EXPECT_NE(position, (Position{.epoch = 1, .step = 2, .samples = 3, .loss_sum = 9}));
}

}  // namespace position_test
}  // namespace ddx::train
