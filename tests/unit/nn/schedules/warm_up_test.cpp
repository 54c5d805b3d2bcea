#include "ddx/nn/schedules/warm_up.h"

#include "ddx/core/error.h"
#include "ddx/nn/schedules/constant_rate.h"
#include "ddx/nn/schedules/cosine_decay.h"

#include "tests/support/recorded_schedule.h"

#include <cstdint>
#include <gtest/gtest.h>

namespace ddx::nn {
namespace warm_up_test {

using ddx::testing::message_of;

TEST(WarmUp, FollowsPyTorch) {
  ddx::testing::expect_recorded_rates(
      "warm_up",
      WarmUp({.steps = 4, .start_factor = 0.1}, CosineDecay({.initial = 0.5, .steps = 20})),
      "WarmUp");
}

TEST(WarmUp, StandsBeforeAnyFunction) {
  const WarmUp rate({.steps = 2},
                    [](std::int64_t step) { return 1.0 + static_cast<double>(step); });
  EXPECT_EQ(rate(0), 0);
  EXPECT_EQ(rate(1), 0.5);
  EXPECT_EQ(rate(2), 1);
  EXPECT_EQ(rate(5), 4);
}

TEST(WarmUp, ImpossibleOptionsAreAnError) {
  EXPECT_EQ(message_of<UsageError>([] { WarmUp({.steps = 0}, ConstantRate({})); }),
            "WarmUp: steps is 0, at least 1 is required");
  EXPECT_EQ(message_of<UsageError>([] { WarmUp({.start_factor = -0.5}, ConstantRate({})); }),
            "WarmUp: start_factor is -0.5, expected a finite number of at least 0");
}

}  // namespace warm_up_test
}  // namespace ddx::nn
