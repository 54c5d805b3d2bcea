#include "ddx/train/fit.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/data/epoch.h"
#include "ddx/data/prefetched.h"
#include "ddx/nn/losses/mean_squared_error.h"
#include "ddx/nn/optimizers/sgd.h"
#include "ddx/train/events.h"
#include "ddx/train/loop.h"
#include "ddx/train/training.h"

#include "tests/support/small_training.h"
#include "tests/support/temporary_folder.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace ddx::train {
namespace fit_test {

using ddx::testing::message_of;
using ddx::testing::small_loss;
using ddx::testing::SmallData;
using ddx::testing::SmallModel;

auto new_training() {
  const SmallModel model;
  return Training{model, nn::SGD(model, {.learning_rate = 0.1, .momentum = 0.9})};
}

const FitOptions options{.epochs = 3, .batch_size = 4, .key = RandomKey(5)};

/// The losses of all steps.
std::vector<double> losses(Training<SmallModel, nn::SGD<SmallModel>>& training,
                           const FitOptions& with) {
  std::vector<double> all;
  (void)fit(training, SmallData(), small_loss, with,
            {.batch_ended = [&](Loop& loop) { all.push_back(loop.loss()); }});
  return all;
}

TEST(Fit, TakesEveryStepOfEveryEpoch) {
  auto training = new_training();
  std::vector<std::pair<std::int64_t, std::int64_t>> begun;
  std::vector<std::int64_t> epochs;
  double sum_of_means = 0;
  double sum = 0;
  const auto outcome = fit(training, SmallData(), small_loss, options,
                           {.batch_begins =
                                [&](Loop& loop) {
                                  EXPECT_EQ(loop.batches(), 3);
                                  begun.emplace_back(loop.position().epoch, loop.position().step);
                                },
                            .batch_ended =
                                [&](Loop& loop) {
                                  // Eleven samples in steps of 4, 4 and 3.
                                  sum += loop.loss() * (loop.batch() == 3 ? 3 : 4) / 11;
                                },
                            .epoch_ended =
                                [&](Loop& loop) {
                                  epochs.push_back(loop.epoch());
                                  sum_of_means += loop.mean_loss();
                                }});
  EXPECT_EQ(outcome, Outcome::Finished);
  EXPECT_EQ(begun, (std::vector<std::pair<std::int64_t, std::int64_t>>{
                       {0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}}));
  EXPECT_EQ(epochs, (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_NEAR(sum_of_means, sum, 1e-12);
  EXPECT_EQ(training.position, (Position{.epoch = 3}));
}

TEST(Fit, EqualKeysGiveEqualBitsAndOthersDoNot) {
  auto first = new_training();
  auto second = new_training();
  auto third = new_training();
  const auto expected = losses(first, options);
  EXPECT_EQ(losses(second, options), expected);
  EXPECT_EQ(first.model.last.weight, second.model.last.weight);
  EXPECT_NE(losses(third, {.epochs = 3, .batch_size = 4, .key = RandomKey(6)}), expected);
}

TEST(Fit, LearnsAndMovesTheRunningAverages) {
  auto training = new_training();
  const auto all = losses(training, {.epochs = 40, .batch_size = 11, .key = RandomKey(5)});
  EXPECT_LT(all.back(), 0.6 * all.front());
  EXPECT_FALSE(training.model.norm.running_mean == SmallModel().norm.running_mean);
  EXPECT_FALSE(training.model.dropout.training);
}

TEST(Fit, AStoppedTrainingGoesOnWithTheSameBits) {
  auto whole = new_training();
  const auto expected = losses(whole, options);
  for (int stop = 0; stop < 9; ++stop) {
    auto training = new_training();
    std::vector<double> all;
    int steps = 0;
    const Events events{.batch_begins =
                            [&](Loop& loop) {
                              if (steps == stop) {
                                loop.cancel(Scope::Fit);
                              }
                            },
                        .batch_ended =
                            [&](Loop& loop) {
                              ++steps;
                              all.push_back(loop.loss());
                            }};
    EXPECT_EQ(fit(training, SmallData(), small_loss, options, events), Outcome::Stopped);
    EXPECT_EQ(training.position.epoch * 3 + training.position.step, stop);
    auto copy = training;
    const auto rest = losses(copy, options);
    all.insert(all.end(), rest.begin(), rest.end());
    EXPECT_EQ(all, expected) << stop;
    EXPECT_EQ(copy.model.first.weight, whole.model.first.weight) << stop;
  }
}

TEST(Fit, BatchesMadeAheadGiveTheSameBits) {
  auto plain = new_training();
  const auto expected = losses(plain, options);
  for (const std::int64_t threads : {1, 3}) {
    auto with = options;
    with.prefetch = data::PrefetchOptions{.threads = threads, .ahead = 2};
    auto training = new_training();
    EXPECT_EQ(losses(training, with), expected);
    EXPECT_EQ(training.model.first.weight, plain.model.first.weight);
  }
}

TEST(Fit, WhatTheDataSetThrowsAheadComesInItsPlace) {
  struct Failing : SmallData {
    [[nodiscard]] ddx::testing::SmallBatch batch(std::span<const std::int64_t> samples) const {
      if (samples[0] == 8) {
        throw std::runtime_error("cannot read sample 8");
      }
      return SmallData::batch(samples);
    }
  };
  auto training = new_training();
  const FitOptions with{
      .epochs = 1,
      .batch_size = 4,
      .order = [](std::int64_t count, RandomKey) { return data::plain_order(count); },
      .prefetch = data::PrefetchOptions{.threads = 2, .ahead = 3}};
  EXPECT_EQ(
      message_of<std::runtime_error>([&] { (void)fit(training, Failing(), small_loss, with); }),
      "cannot read sample 8");
  EXPECT_EQ(training.position.step, 2);
}

TEST(Fit, ALossThatIsNotFiniteIsAnErrorAndNoStep) {
  auto training = new_training();
  const auto before = training.model;
  const auto bad = [](const SmallModel& model, const ddx::testing::SmallBatch& batch) {
    return nn::mean_squared_error(model(batch.x), batch.y) * std::numeric_limits<float>::infinity();
  };
  EXPECT_EQ(message_of<UsageError>([&] { (void)fit(training, SmallData(), bad, options); }),
            "fit: the loss is inf in epoch 1, step 1; a smaller learning rate may help");
  EXPECT_EQ(training.position, Position());
  EXPECT_EQ(training.model.first.weight, before.first.weight);
  EXPECT_EQ(training.model.norm.running_mean, before.norm.running_mean);
  EXPECT_FALSE(training.model.dropout.training);
}

TEST(Fit, ALastShortBatchMayBeDropped) {
  auto training = new_training();
  std::vector<std::int64_t> samples;
  (void)fit(training, SmallData(), small_loss, {.epochs = 1, .batch_size = 4, .drop_last = true},
            {.batch_ended = [&](Loop& loop) { samples.push_back(loop.samples()); }});
  EXPECT_EQ(samples, (std::vector<std::int64_t>{4, 4}));
}

TEST(Fit, TheOrderOfTheSamplesIsTheUsers) {
  std::vector<float> seen;
  auto training = new_training();
  std::vector<RandomKey> keys;
  (void)fit(training, SmallData(), small_loss,
            {.epochs = 2,
             .batch_size = 2,
             .order =
                 [&](std::int64_t count, RandomKey key) {
                   EXPECT_EQ(count, 11);
                   keys.push_back(key);
                   return std::vector<std::int64_t>{10, 0};
                 }},
            {.batch_begins = [&](Loop& loop) {
              const auto& x = loop.batch_of<ddx::testing::SmallBatch>().x;
              seen.insert(seen.end(), {x[{0, 0}], x[{1, 0}]});
            }});
  // Sample i lies at i / 5 - 1.
  EXPECT_EQ(seen, (std::vector<float>{1, -1, 1, -1}));
  ASSERT_EQ(keys.size(), 2U);
  EXPECT_FALSE(keys[0] == keys[1]);
}

TEST(Fit, ABatchSizeOfZeroIsAnError) {
  auto training = new_training();
  EXPECT_EQ(message_of<UsageError>([&] {
              (void)fit(training, SmallData(), small_loss, {.epochs = 1, .batch_size = 0});
            }),
            "Epoch: batch size is 0, at least 1 is required");
}

}  // namespace fit_test
}  // namespace ddx::train
