#include "ddx/nn/schedules/exponential_decay.h"

#include "tests/support/recorded_schedule.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace exponential_decay_test {

using ddx::testing::expect_recorded_rates;
using ddx::testing::expect_refused;

TEST(ExponentialDecay, FollowsPyTorch) {
  expect_recorded_rates("exponential", ExponentialDecay({.initial = 0.5, .factor = 0.9}),
                        "ExponentialDecay");
  expect_recorded_rates("exponential",
                        ExponentialDecay({.initial = 0.5, .factor = 0.729, .interval = 3}),
                        "ExponentialDecay");
}

TEST(ExponentialDecay, ImpossibleOptionsAreAnError) {
  expect_refused<ExponentialDecay>(
      ExponentialDecayOptions{.initial = -0.5},
      "ExponentialDecay: initial is -0.5, expected a finite number of at least 0");
  expect_refused<ExponentialDecay>(
      ExponentialDecayOptions{.factor = -0.5},
      "ExponentialDecay: factor is -0.5, expected a finite number of at least 0");
  expect_refused<ExponentialDecay>(ExponentialDecayOptions{.interval = 0},
                                   "ExponentialDecay: interval is 0, at least 1 is required");
}

}  // namespace exponential_decay_test
}  // namespace ddx::nn
