#include "ddx/nn/schedules/polynomial_decay.h"

#include "tests/support/recorded_schedule.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace polynomial_decay_test {

using ddx::testing::expect_recorded_rates;
using ddx::testing::expect_refused;

TEST(PolynomialDecay, FollowsPyTorch) {
  expect_recorded_rates("linear", PolynomialDecay({.initial = 0.5, .end = 0.1, .steps = 10}),
                        "PolynomialDecay");
  expect_recorded_rates("polynomial", PolynomialDecay({.initial = 0.5, .steps = 10, .power = 2}),
                        "PolynomialDecay");
}

TEST(PolynomialDecay, MayRise) {
  const PolynomialDecay rate({.initial = 0, .end = 1, .steps = 4});
  EXPECT_EQ(rate(1), 0.25);
  EXPECT_EQ(rate(4), 1.0);
  EXPECT_EQ(rate(9), 1.0);
}

TEST(PolynomialDecay, ImpossibleOptionsAreAnError) {
  expect_refused<PolynomialDecay>(
      PolynomialDecayOptions{.initial = -0.5},
      "PolynomialDecay: initial is -0.5, expected a finite number of at least 0");
  expect_refused<PolynomialDecay>(
      PolynomialDecayOptions{.end = -0.5},
      "PolynomialDecay: end is -0.5, expected a finite number of at least 0");
  expect_refused<PolynomialDecay>(PolynomialDecayOptions{.steps = 0},
                                  "PolynomialDecay: steps is 0, at least 1 is required");
  expect_refused<PolynomialDecay>(PolynomialDecayOptions{.power = 0},
                                  "PolynomialDecay: power is 0, expected a finite number above 0");
}

}  // namespace polynomial_decay_test
}  // namespace ddx::nn
