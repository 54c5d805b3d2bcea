#include "ddx/train/schedule_learning_rate.h"

#include "ddx/core/error.h"
#include "ddx/nn/optimizers/sgd.h"
#include "ddx/train/fit.h"
#include "ddx/train/loop.h"
#include "ddx/train/sets.h"
#include "ddx/train/training.h"

#include "tests/support/small_training.h"
#include "tests/support/temporary_folder.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace ddx::train {
namespace schedule_learning_rate_test {

using ddx::testing::message_of;
using ddx::testing::small_loss;
using ddx::testing::SmallData;
using ddx::testing::SmallModel;

auto new_training() {
  const SmallModel model;
  return Training{model, nn::SGD(model)};
}

TEST(ScheduleLearningRate, SetsTheRateOfEachStepByItsNumber) {
  auto training = new_training();
  const auto schedule = schedule_learning_rate(
      training.optimizer, [](std::int64_t step) { return 0.5 / static_cast<double>(step + 1); });
  std::vector<double> rates;
  const Events listener{.batch_ended = [&](Loop& loop) {
    if (loop.phase() == Phase::Training) {
      rates.push_back(training.optimizer.options.learning_rate);
    }
  }};
  const auto run = [&](std::int64_t epochs) {
    (void)fit(training, Sets{SmallData(), SmallData()}, small_loss,
              {.epochs = epochs, .batch_size = 6}, {schedule, listener});
  };
  run(1);
  run(2);  // Continues at the third step.
  EXPECT_EQ(rates, (std::vector<double>{0.5, 0.25, 0.5 / 3, 0.125}));
}

TEST(ScheduleLearningRate, AnImpossibleRateIsAnErrorAndNoStep) {
  for (const double rate : {-1.0, std::nan(""), HUGE_VAL}) {
    auto training = new_training();
    EXPECT_EQ(message_of<UsageError>([&] {
                (void)fit(training, SmallData(), small_loss, {.epochs = 1, .batch_size = 4},
                          schedule_learning_rate(training.optimizer, [&](std::int64_t step) {
                            return step < 2 ? 0.1 : rate;
                          }));
              }),
              "schedule_learning_rate: the rate of step 2 is " + std::to_string(rate));
    EXPECT_EQ(training.position.step, 2);
  }
}

}  // namespace schedule_learning_rate_test
}  // namespace ddx::train
