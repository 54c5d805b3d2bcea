#include "ddx/nn/schedules/inverse_time_decay.h"

#include "tests/support/recorded_schedule.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace inverse_time_decay_test {

using ddx::testing::expect_recorded_rates;
using ddx::testing::expect_refused;

TEST(InverseTimeDecay, FollowsPyTorch) {
  expect_recorded_rates("inverse_time", InverseTimeDecay({.initial = 0.5, .decay = 0.2}),
                        "InverseTimeDecay");
  expect_recorded_rates("inverse_time",
                        InverseTimeDecay({.initial = 0.5, .decay = 1, .interval = 5}),
                        "InverseTimeDecay");
}

TEST(InverseTimeDecay, ImpossibleOptionsAreAnError) {
  expect_refused<InverseTimeDecay>(
      InverseTimeDecayOptions{.initial = -0.5},
      "InverseTimeDecay: initial is -0.5, expected a finite number of at least 0");
  expect_refused<InverseTimeDecay>(
      InverseTimeDecayOptions{.decay = -0.5},
      "InverseTimeDecay: decay is -0.5, expected a finite number of at least 0");
  expect_refused<InverseTimeDecay>(InverseTimeDecayOptions{.interval = 0},
                                   "InverseTimeDecay: interval is 0, at least 1 is required");
}

}  // namespace inverse_time_decay_test
}  // namespace ddx::nn
