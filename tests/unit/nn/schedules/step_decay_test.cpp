#include "ddx/nn/schedules/step_decay.h"

#include "tests/support/recorded_schedule.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace step_decay_test {

using ddx::testing::expect_recorded_rates;
using ddx::testing::expect_refused;

TEST(StepDecay, FollowsPyTorch) {
  expect_recorded_rates("step", StepDecay({.initial = 0.5, .factor = 0.3, .interval = 4}),
                        "StepDecay");
}

TEST(StepDecay, ImpossibleOptionsAreAnError) {
  expect_refused<StepDecay>(StepDecayOptions{.initial = -0.5},
                            "StepDecay: initial is -0.5, expected a finite number of at least 0");
  expect_refused<StepDecay>(StepDecayOptions{.factor = -0.5},
                            "StepDecay: factor is -0.5, expected a finite number of at least 0");
  expect_refused<StepDecay>(StepDecayOptions{.interval = 0},
                            "StepDecay: interval is 0, at least 1 is required");
}

}  // namespace step_decay_test
}  // namespace ddx::nn
