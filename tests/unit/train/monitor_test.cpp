#include "ddx/train/monitor.h"

#include "ddx/core/error.h"
#include "ddx/nn/optimizers/sgd.h"
#include "ddx/train/events.h"
#include "ddx/train/fit.h"
#include "ddx/train/loop.h"
#include "ddx/train/sets.h"
#include "ddx/train/training.h"

#include "tests/support/small_training.h"
#include "tests/support/temporary_folder.h"

#include <cmath>
#include <gtest/gtest.h>
#include <optional>

namespace ddx::train {
namespace monitor_test {

using ddx::testing::message_of;

TEST(Best, TheFirstIsTheBestAndEqualIsNotBetter) {
  Best best{Monitor()};
  EXPECT_EQ(best.value(), std::nullopt);
  EXPECT_TRUE(best.take(2));
  EXPECT_FALSE(best.take(2));
  EXPECT_TRUE(best.take(1));
  EXPECT_FALSE(best.take(1.5));
  EXPECT_EQ(best.value(), 1);
}

TEST(Best, MayLookForHigherValues) {
  Best best({.better = Monitor::Better::Higher}, 5.0);
  EXPECT_FALSE(best.take(4));
  EXPECT_TRUE(best.take(6));
}

TEST(Best, ALittleBetterIsNotEnough) {
  Best best({.min_delta = 0.5}, 2.0);
  EXPECT_FALSE(best.take(1.5));
  EXPECT_TRUE(best.take(1.25));
  Best highest({.better = Monitor::Better::Higher, .min_delta = 0.5}, 2.0);
  EXPECT_FALSE(highest.take(2.5));
  EXPECT_TRUE(highest.take(2.75));
}

TEST(Best, WhatIsNoNumberIsNeverBetter) {
  Best best{Monitor()};
  EXPECT_FALSE(best.take(NAN));
  EXPECT_TRUE(best.take(HUGE_VAL));
  EXPECT_FALSE(best.take(NAN));
  EXPECT_EQ(best.value(), HUGE_VAL);
}

TEST(Best, ANegativeDeltaIsAnError) {
  EXPECT_EQ(message_of<UsageError>([] { Best({.min_delta = -1}); }),
            "Monitor: min_delta is -1.000000, at least 0 is required");
  EXPECT_EQ(message_of<UsageError>([] { Best({.min_delta = NAN}); }),
            "Monitor: min_delta is nan, at least 0 is required");
}

TEST(Monitor, LooksAtTheValidationWhereThereIsOne) {
  const ddx::testing::SmallData data;
  const ddx::testing::SmallModel model;
  Training training{model, nn::SGD(model)};
  int looks = 0;
  const Events listener{.epoch_ended = [&](Loop& loop) {
    const double expected = looks++ == 0 ? *loop.validation_loss() : loop.mean_loss();
    EXPECT_EQ(monitored_loss(loop), expected);
  }};
  const FitOptions options{.epochs = 1, .batch_size = 11};
  (void)fit(training, Sets{data, data}, ddx::testing::small_loss, options, {listener});
  (void)fit(training, data, ddx::testing::small_loss, {.epochs = 2, .batch_size = 11}, listener);
  EXPECT_EQ(looks, 2);
}

}  // namespace monitor_test
}  // namespace ddx::train
