#include "ddx/nn/schedules/cosine_decay.h"

#include "tests/support/recorded_schedule.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace cosine_decay_test {

using ddx::testing::expect_recorded_rates;
using ddx::testing::expect_refused;

TEST(CosineDecay, FollowsPyTorch) {
  expect_recorded_rates("cosine", CosineDecay({.initial = 0.5, .end = 0.1, .steps = 13}),
                        "CosineDecay");
}

TEST(CosineDecay, StaysAtItsEnd) {
  const CosineDecay rate({.initial = 0.5, .end = 0.125, .steps = 8});
  EXPECT_EQ(rate(8), 0.125);
  EXPECT_EQ(rate(1'000'000), 0.125);
  EXPECT_NEAR(rate(4), 0.3125, 1e-15);
}

TEST(CosineDecay, ImpossibleOptionsAreAnError) {
  expect_refused<CosineDecay>(
      CosineDecayOptions{.initial = -0.5},
      "CosineDecay: initial is -0.5, expected a finite number of at least 0");
  expect_refused<CosineDecay>(CosineDecayOptions{.end = -0.5},
                              "CosineDecay: end is -0.5, expected a finite number of at least 0");
  expect_refused<CosineDecay>(CosineDecayOptions{.steps = 0},
                              "CosineDecay: steps is 0, at least 1 is required");
}

}  // namespace cosine_decay_test
}  // namespace ddx::nn
