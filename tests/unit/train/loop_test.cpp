#include "ddx/train/loop.h"

#include "ddx/ad/tangent.h"
#include "ddx/core/error.h"
#include "ddx/nn/losses/mean_squared_error.h"
#include "ddx/nn/optimizers/sgd.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/tensor.h"
#include "ddx/train/events.h"
#include "ddx/train/fit.h"
#include "ddx/train/sets.h"
#include "ddx/train/training.h"

#include "tests/support/small_training.h"
#include "tests/support/temporary_folder.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

namespace ddx::train {
namespace loop_test {

using ddx::testing::message_of;
using ddx::testing::small_loss;
using ddx::testing::SmallBatch;
using ddx::testing::SmallData;
using ddx::testing::SmallModel;
using Gradient = TangentOf<SmallModel>;

auto new_training() {
  const SmallModel model;
  return Training{model, nn::SGD(model, {.learning_rate = 0.1})};
}

const auto& objective = ddx::testing::small_objective;
const SmallData data{.count = 6};
const FitOptions once{.epochs = 1, .batch_size = 4};

TEST(Loop, ShowsInputTargetOutputAndGradientOfTheBatch) {
  auto training = new_training();
  int answers = 0;
  (void)fit(training, Sets{data, data}, objective, once,
            {Events{.batch_begins =
                        [&](Loop& loop) {
                          const auto& batch = loop.batch_of<SmallBatch>();
                          // The parts are those of the batch, not copies.
                          EXPECT_EQ(&loop.input<Tensor<float>>(), &batch.x);
                          EXPECT_EQ(&loop.target<Tensor<float>>(), &batch.y);
                        },
                    .prediction_ended =
                        [&](Loop& loop) {
                          ++answers;
                          const auto loss = nn::mean_squared_error(loop.output<Tensor<float>>(),
                                                                   loop.target<Tensor<float>>());
                          EXPECT_EQ(static_cast<double>(loss.item()), loop.loss());
                          if (loop.phase() == Phase::Validation) {
                            // Without dropout, by the averages: the model as it is.
                            EXPECT_EQ(loop.output<Tensor<float>>(),
                                      training.model(loop.input<Tensor<float>>()));
                          }
                        },
                    .update_begins =
                        [&](Loop& loop) {
                          EXPECT_EQ(loop.gradient<Gradient>().last.bias.shape(), (Shape{1}));
                        }}});
  EXPECT_EQ(answers, 4);
}

TEST(Loop, ASupervisedObjectiveTrainsAsItsLossDoes) {
  auto supervised = new_training();
  auto whole = new_training();
  (void)fit(supervised, data, objective, once);
  (void)fit(whole, data, small_loss, once);
  EXPECT_EQ(supervised.model.first.weight, whole.model.first.weight);
  EXPECT_EQ(supervised.model.norm.running_mean, whole.model.norm.running_mean);
}

TEST(Loop, TheGradientMayBeChangedBeforeTheStep) {
  auto training = new_training();
  (void)fit(training, data, objective, {.epochs = 1, .batch_size = 6},
            {.update_begins = [](Loop& loop) {
              auto& gradient = loop.gradient<Gradient>();
              gradient.first.bias = Tensor<float>{1, 2, 3, 4};
            }});
  // The initial bias is 0 and the learning rate 0.1.
  for (std::int64_t i = 0; i < 4; ++i) {
    EXPECT_FLOAT_EQ(training.model.first.bias[{i}], -0.1F * static_cast<float>(i + 1));
  }
}

TEST(Loop, AGradientOfAnotherShapeIsRefusedBeforeAnythingChanges) {
  auto training = new_training();
  const auto before = training.model;
  EXPECT_EQ(message_of<UsageError>([&] {
              (void)fit(training, data, objective, once, {.update_begins = [](Loop& loop) {
                          loop.gradient<Gradient>().last.bias = Tensor<float>{1, 2};
                        }});
            }),
            "fit: gradient of last.bias has shape [2], its parameter has shape [1]");
  EXPECT_EQ(training.model.first.weight, before.first.weight);
  EXPECT_EQ(training.model.norm.running_mean, before.norm.running_mean);
  EXPECT_EQ(training.position, Position());
}

TEST(Loop, NamesWhatIsUnknownOrOfAnotherType) {
  const auto error = [](const auto& of, const Events& events) {
    auto training = new_training();
    return message_of<UsageError>([&] { (void)fit(training, data, of, once, events); });
  };
  EXPECT_EQ(error(small_loss,
                  {.prediction_ended = [](Loop& loop) { (void)loop.output<Tensor<float>>(); }}),
            "Loop: no output is known at this event, or with this kind of objective");
  EXPECT_EQ(error(objective, {.batch_begins = [](Loop& loop) { (void)loop.gradient<Gradient>(); }}),
            "Loop: no gradient is known at this event, or with this kind of objective");
  // The step has taken it.
  EXPECT_EQ(error(objective, {.batch_ended = [](Loop& loop) { (void)loop.gradient<Gradient>(); }}),
            "Loop: no gradient is known at this event, or with this kind of objective");
  EXPECT_EQ(
      error(objective, {.training_ended = [](Loop& loop) { (void)loop.input<Tensor<float>>(); }}),
      "Loop: no input is known at this event, or with this kind of objective");
  EXPECT_EQ(
      error(objective, {.batch_begins = [](Loop& loop) { (void)loop.target<Tensor<double>>(); }}),
      "Loop: the target is a ddx::Tensor<float>, not a ddx::Tensor<double>");
  EXPECT_EQ(error(objective, {.batch_begins = [](Loop& loop) { (void)loop.loss(); }}),
            "Loop: no loss is known before the first batch has an answer");
}

TEST(Loop, CountsBatchesInEachPhase) {
  auto training = new_training();
  std::string heard;
  (void)fit(training, Sets{data, SmallData{.count = 3}}, objective, {.epochs = 2, .batch_size = 4},
            {Events{.batch_ended = [&](Loop& loop) {
              heard += (loop.phase() == Phase::Training ? "t" : "v") +
                       std::to_string(loop.epoch()) + "/" + std::to_string(loop.epochs()) + " " +
                       std::to_string(loop.batch()) + "/" + std::to_string(loop.batches()) + " " +
                       std::to_string(loop.samples()) + "; ";
            }}});
  EXPECT_EQ(heard,
            "t1/2 1/2 4; t1/2 2/2 2; v1/2 1/1 3; "
            "t2/2 1/2 4; t2/2 2/2 2; v2/2 1/1 3; ");
}

TEST(Loop, MeansAreOverSamplesNotBatches) {
  auto training = new_training();
  double trained = 0;
  double validated = 0;
  (void)fit(training, Sets{data, SmallData{.count = 5}}, objective, once,
            {Events{.epoch_begins =
                        [](Loop& loop) {
                          EXPECT_TRUE(std::isnan(loop.mean_loss()));
                          EXPECT_EQ(loop.validation_loss(), std::nullopt);
                        },
                    .batch_ended =
                        [&](Loop& loop) {
                          const auto count = static_cast<double>(loop.samples());
                          (loop.phase() == Phase::Training ? trained : validated) +=
                              loop.loss() * count;
                        },
                    .epoch_ended =
                        [&](Loop& loop) {
                          EXPECT_DOUBLE_EQ(loop.mean_loss(), trained / 6);
                          ASSERT_TRUE(loop.validation_loss());
                          EXPECT_DOUBLE_EQ(*loop.validation_loss(), validated / 5);
                        }}});
}

}  // namespace loop_test
}  // namespace ddx::train
