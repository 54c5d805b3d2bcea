#include "ddx/train/recorder.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/optimizers/sgd.h"
#include "ddx/tensor/tensor.h"
#include "ddx/train/fit.h"
#include "ddx/train/loop.h"
#include "ddx/train/metrics/mean_absolute_error.h"
#include "ddx/train/record.h"
#include "ddx/train/sets.h"
#include "ddx/train/statistic.h"
#include "ddx/train/training.h"

#include "tests/support/small_training.h"
#include "tests/support/temporary_folder.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ddx::train {
namespace recorder_test {

using ddx::testing::message_of;
using ddx::testing::small_objective;
using ddx::testing::SmallData;
using ddx::testing::SmallModel;
using Values = std::vector<std::pair<std::string, double>>;
using Numbers = Tensor<float>;

const FitOptions options{.epochs = 2, .batch_size = 4, .key = RandomKey(3)};

auto new_training() {
  const SmallModel model;
  return Training{model, nn::SGD(model, {.learning_rate = 0.1})};
}

TEST(Recorder, RecordsEachEpochWithItsValidation) {
  auto training = new_training();
  std::vector<Record> sunk;
  const Recorder recorder(
      {.statistics = {loss_statistic(), statistic<Numbers, Numbers>("error", MeanAbsoluteError())},
       .sinks = {[&](const Record& record) { sunk.push_back(record); }}});
  std::vector<Values> expected;
  const Events listener{.epoch_ended = [&](Loop& loop) {
    expected.push_back({{"loss", loop.mean_loss()}, {"validation_loss", *loop.validation_loss()}});
  }};
  (void)fit(training, Sets{SmallData(), SmallData{.count = 5}}, small_objective, options,
            {recorder.events(), listener});
  const auto& history = recorder.history();
  ASSERT_EQ(history.size(), 2U);
  EXPECT_EQ(sunk, history);
  for (std::size_t epoch = 0; epoch < 2; ++epoch) {
    EXPECT_EQ(history[epoch].epoch, static_cast<std::int64_t>(epoch) + 1);
    EXPECT_EQ(history[epoch].step, 3 * history[epoch].epoch);
    std::string names;
    for (const auto& [name, value] : history[epoch].values) {
      names += name + " ";
    }
    EXPECT_EQ(names, "loss error validation_loss validation_error ");
    for (const auto& [name, value] : expected[epoch]) {
      EXPECT_DOUBLE_EQ(history[epoch].value(name), value) << name;
    }
  }
}

TEST(Recorder, RecordsEachTrainingBatchAlone) {
  auto training = new_training();
  const Recorder recorder({.trigger = RecorderOptions::Trigger::BatchEnd});
  std::vector<Record> expected;
  const Events listener{.batch_ended = [&](Loop& loop) {
    if (loop.phase() == Phase::Training) {
      expected.push_back({.epoch = loop.epoch(),
                          .step = static_cast<std::int64_t>(expected.size()) + 1,
                          .values = {{"loss", loop.loss()}}});
    }
  }};
  (void)fit(training, Sets{SmallData(), SmallData()}, small_objective, options,
            {recorder.events(), listener});
  ASSERT_EQ(recorder.history().size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(recorder.history()[i].step, expected[i].step);
    EXPECT_NEAR(recorder.history()[i].value("loss"), expected[i].value("loss"), 1e-15);
  }
}

TEST(Recorder, AnEpochCutShortHasNoValuesOfItsValidation) {
  auto training = new_training();
  const Recorder recorder;
  const Events listener{.training_ended = [&](Loop& loop) { loop.cancel(Scope::Epoch); }};
  (void)fit(training, Sets{SmallData(), SmallData()}, small_objective, options,
            {recorder.events(), listener});
  ASSERT_EQ(recorder.history().size(), 2U);
  EXPECT_EQ(recorder.history()[1].values.size(), 1U);
}

TEST(Recorder, NothingToMeasureAndEqualNamesAreErrors) {
  EXPECT_EQ(message_of<UsageError>([] { Recorder({.statistics = {}}); }),
            "Recorder: no statistics to record");
  EXPECT_EQ(message_of<UsageError>(
                [] { Recorder({.statistics = {loss_statistic(), loss_statistic()}}); }),
            "Recorder: two statistics are named \"loss\"");
}

}  // namespace recorder_test
}  // namespace ddx::train
