#include "ddx/train/early_stopping.h"

#include "ddx/core/error.h"
#include "ddx/train/events.h"
#include "ddx/train/fit.h"
#include "ddx/train/loop.h"
#include "ddx/train/monitor.h"

#include "tests/support/scripted_training.h"
#include "tests/support/temporary_folder.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace ddx::train {
namespace early_stopping_test {

using ddx::testing::message_of;
using ddx::testing::new_countdown;
using ddx::testing::run_countdown;
using ddx::testing::scripted;

// After epoch n of a countdown with one step per epoch, the model is -n.

struct Ending {
  std::int64_t epochs;
  double value;
  Outcome outcome;

  friend bool operator==(const Ending&, const Ending&) = default;
};

Ending ending(const std::vector<double>& values, EarlyStoppingOptions options,
              Monitor monitor = {}) {
  auto training = new_countdown();
  options.monitor = scripted(values, monitor);
  const auto outcome = run_countdown(training, static_cast<std::int64_t>(values.size()), 1,
                                     {stop_early(training, options)});
  return {training.position.epoch, training.model.value, outcome};
}

TEST(EarlyStopping, StopsAfterPatienceAndRestoresTheBest) {
  EXPECT_EQ(ending({5, 3, 4, 3, 0, 0}, {.patience = 2}), (Ending{4, -2, Outcome::Stopped}));
  EXPECT_EQ(ending({5, 3, 4, 2, 3, 3, 0}, {.patience = 2}), (Ending{6, -4, Outcome::Stopped}));
}

TEST(EarlyStopping, MayKeepTheLastModel) {
  EXPECT_EQ(ending({5, 3, 4, 3, 0, 0}, {.patience = 2, .restore_best = false}),
            (Ending{4, -4, Outcome::Stopped}));
}

TEST(EarlyStopping, RestoresTheBestAtTheEndOfTheLastEpoch) {
  EXPECT_EQ(ending({5, 3, 4}, {.patience = 3}), (Ending{3, -2, Outcome::Finished}));
}

TEST(EarlyStopping, AsksForAMinimalGainInTheRightDirection) {
  EXPECT_EQ(ending({5, 4.75, 4.5, 4.25}, {.patience = 2}, {.min_delta = 0.5}),
            (Ending{3, -1, Outcome::Stopped}));
  EXPECT_EQ(ending({1, 2, 1, 1, 5}, {.patience = 2}, {.better = Monitor::Better::Higher}),
            (Ending{4, -2, Outcome::Stopped}));
}

TEST(EarlyStopping, WhatIsNoNumberIsNoGain) {
  EXPECT_EQ(ending({NAN, NAN, 1, 1}, {.patience = 2}), (Ending{2, -2, Outcome::Stopped}));
}

TEST(EarlyStopping, ATrainingStoppedByOthersCanGoOn) {
  auto training = new_countdown();
  const Events other{.epoch_ended = [](Loop& loop) {
    if (loop.epoch() == 3) {
      loop.cancel(Scope::Fit);
    }
  }};
  (void)run_countdown(
      training, 9, 1,
      {stop_early(training, {.monitor = scripted({1, 2, 3, 4}), .patience = 9}), other});
  EXPECT_EQ(training.model.value, -3);
}

TEST(EarlyStopping, NoPatienceIsAnError) {
  auto training = new_countdown();
  EXPECT_EQ(message_of<UsageError>([&] { (void)stop_early(training, {.patience = 0}); }),
            "stop_early: patience is 0, at least 1 epoch is required");
}

}  // namespace early_stopping_test
}  // namespace ddx::train
