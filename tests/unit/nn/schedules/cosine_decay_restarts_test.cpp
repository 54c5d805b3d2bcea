#include "ddx/nn/schedules/cosine_decay_restarts.h"

#include "tests/support/recorded_schedule.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace cosine_decay_restarts_test {

using ddx::testing::expect_recorded_rates;
using ddx::testing::expect_refused;

TEST(CosineDecayRestarts, FollowsPyTorch) {
  expect_recorded_rates("cosine_restarts",
                        CosineDecayRestarts({.initial = 0.5, .end = 0.1, .period = 4}),
                        "CosineDecayRestarts");
  expect_recorded_rates(
      "cosine_longer_restarts",
      CosineDecayRestarts({.initial = 0.5, .end = 0.1, .period = 2, .period_factor = 2}),
      "CosineDecayRestarts");
}

TEST(CosineDecayRestarts, RestartsMayBecomeLower) {
  const CosineDecayRestarts equal({.initial = 8, .period = 4, .height_factor = 0.5});
  EXPECT_EQ(equal(0), 8);
  EXPECT_EQ(equal(4), 4);
  EXPECT_EQ(equal(12), 1);
  EXPECT_NEAR(equal(6), 2, 1e-15);
  // Periods of 2, 6 and 18 steps.
  const CosineDecayRestarts longer(
      {.initial = 8, .period = 2, .period_factor = 3, .height_factor = 0.5});
  EXPECT_EQ(longer(2), 4);
  EXPECT_NEAR(longer(5), 2, 1e-15);
  EXPECT_EQ(longer(8), 2);
}

TEST(CosineDecayRestarts, FarStepsAreQuick) {
  const CosineDecayRestarts rate({.initial = 8, .period = 4});
  EXPECT_EQ(rate(4'000'000'000'000), 8);
}

TEST(CosineDecayRestarts, ImpossibleOptionsAreAnError) {
  expect_refused<CosineDecayRestarts>(
      CosineDecayRestartsOptions{.initial = -0.5},
      "CosineDecayRestarts: initial is -0.5, expected a finite number of at least 0");
  expect_refused<CosineDecayRestarts>(
      CosineDecayRestartsOptions{.end = -0.5},
      "CosineDecayRestarts: end is -0.5, expected a finite number of at least 0");
  expect_refused<CosineDecayRestarts>(CosineDecayRestartsOptions{.period = 0},
                                      "CosineDecayRestarts: period is 0, at least 1 is required");
  expect_refused<CosineDecayRestarts>(
      CosineDecayRestartsOptions{.period_factor = 0},
      "CosineDecayRestarts: period_factor is 0, at least 1 is required");
  expect_refused<CosineDecayRestarts>(
      CosineDecayRestartsOptions{.height_factor = -0.5},
      "CosineDecayRestarts: height_factor is -0.5, expected a finite number of at least 0");
}

}  // namespace cosine_decay_restarts_test
}  // namespace ddx::nn
