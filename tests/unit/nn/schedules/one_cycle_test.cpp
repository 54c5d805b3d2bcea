#include "ddx/nn/schedules/one_cycle.h"

#include "tests/support/recorded_schedule.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace one_cycle_test {

using ddx::testing::expect_recorded_rates;
using ddx::testing::expect_refused;

TEST(OneCycle, FollowsPyTorch) {
  expect_recorded_rates("one_cycle", OneCycle({.peak = 0.5, .steps = 12}), "OneCycle");
  expect_recorded_rates(
      "one_cycle_early",
      OneCycle(
          {.peak = 0.5, .steps = 14, .rising_share = 0.5, .start_divisor = 10, .end_divisor = 100}),
      "OneCycle");
}

TEST(OneCycle, WithoutARiseItBeginsAtThePeak) {
  EXPECT_EQ(OneCycle({.peak = 0.5, .steps = 4, .rising_share = 0})(0), 0.5);
}

TEST(OneCycle, ImpossibleOptionsAreAnError) {
  expect_refused<OneCycle>(OneCycleOptions{.peak = -0.5},
                           "OneCycle: peak is -0.5, expected a finite number of at least 0");
  expect_refused<OneCycle>(OneCycleOptions{.steps = 1},
                           "OneCycle: steps is 1, at least 2 is required");
  expect_refused<OneCycle>(OneCycleOptions{.rising_share = 1},
                           "OneCycle: rising_share is 1, expected 0 <= rising_share < 1");
  expect_refused<OneCycle>(OneCycleOptions{.start_divisor = 0},
                           "OneCycle: start_divisor is 0, expected a finite number above 0");
  expect_refused<OneCycle>(OneCycleOptions{.end_divisor = 0},
                           "OneCycle: end_divisor is 0, expected a finite number above 0");
}

}  // namespace one_cycle_test
}  // namespace ddx::nn
