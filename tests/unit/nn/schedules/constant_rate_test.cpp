#include "ddx/nn/schedules/constant_rate.h"

#include "tests/support/recorded_schedule.h"

#include <cstdint>
#include <gtest/gtest.h>

namespace ddx::nn {
namespace constant_rate_test {

using ddx::testing::expect_refused;

TEST(ConstantRate, DoesNotChange) {
  const ConstantRate rate({.rate = 0.25});
  EXPECT_EQ(rate(0), 0.25);
  EXPECT_EQ(rate(1'000'000'000'000), 0.25);
  EXPECT_EQ(ddx::testing::message_of<UsageError>([&] { (void)rate(-1); }),
            "ConstantRate: step is -1, at least 0 is required");
}

TEST(ConstantRate, AnyFunctionOfTheStepIsASchedule) {
  const auto halves = [](std::int64_t step) { return step % 2 == 0 ? 1.0 : 0.5; };
  static_assert(Schedule<decltype(halves)>);
  static_assert(Schedule<ConstantRate>);
  static_assert(!Schedule<double>);
}

TEST(ConstantRate, ImpossibleOptionsAreAnError) {
  expect_refused<ConstantRate>(
      ConstantRateOptions{.rate = -0.5},
      "ConstantRate: rate is -0.5, expected a finite number of at least 0");
}

}  // namespace constant_rate_test
}  // namespace ddx::nn
