#include "ddx/train/events.h"

#include "ddx/nn/optimizers/sgd.h"
#include "ddx/train/fit.h"
#include "ddx/train/training.h"

#include "tests/support/small_training.h"

#include <gtest/gtest.h>
#include <string>

namespace ddx::train {
namespace {

using ddx::testing::small_loss;
using ddx::testing::SmallData;
using ddx::testing::SmallModel;

const FitOptions two_epochs{.epochs = 2, .batch_size = 6, .key = RandomKey(5)};

auto new_training() {
  const SmallModel model;
  return Training{model, nn::SGD(model, {.learning_rate = 0.1})};
}

TEST(Events, ComeInTheOrderOfTheLoop) {
  auto training = new_training();
  std::string heard;
  (void)fit(training, SmallData(), small_loss, two_epochs,
            {.should_stop =
                 [&] {
                   heard += "?";
                   return false;
                 },
             .step_begins = [&](const StepBegins&) { heard += "("; },
             .step_ended = [&](const StepEnded&) { heard += ")"; },
             .epoch_ended = [&](const EpochEnded&) { heard += "|"; }});
  // Eleven samples in steps of six and five.
  EXPECT_EQ(heard, "?()?()|?()?()|");
}

TEST(Events, TellWhereTheTrainingIs) {
  auto training = new_training();
  std::string heard;
  const auto place = [](const Position& position) {
    return std::to_string(position.epoch) + "." + std::to_string(position.step) + "." +
           std::to_string(position.samples);
  };
  (void)fit(training, SmallData(), small_loss, two_epochs,
            {.step_begins = [&](const StepBegins& step) { heard += place(step.position) + " "; },
             .step_ended = [&](const StepEnded& step) { heard += place(step.position) + ", "; },
             // The position belongs to the next epoch already.
             .epoch_ended =
                 [&](const EpochEnded& epoch) {
                   heard += std::to_string(epoch.epoch) + " at " + place(training.position) + "; ";
                 }});
  EXPECT_EQ(heard,
            "0.0.0 0.1.6, 0.1.6 0.2.11, 1 at 1.0.0; "
            "1.0.0 1.1.6, 1.1.6 1.2.11, 2 at 2.0.0; ");
}

TEST(Events, AreEachOptional) {
  auto alone = new_training();
  auto heard = new_training();
  EXPECT_EQ(fit(alone, SmallData(), small_loss, two_epochs, {}), Outcome::Finished);
  EXPECT_EQ(fit(heard, SmallData(), small_loss, two_epochs, {.should_stop = [] { return false; }}),
            Outcome::Finished);
  EXPECT_EQ(alone.model.first.weight, heard.model.first.weight);
}

TEST(Events, MayChangeTheModelBetweenSteps) {
  auto training = new_training();
  const auto before = training.model;
  (void)fit(training, SmallData(), small_loss, {.epochs = 1, .batch_size = 11},
            {.step_ended = [&](const StepEnded&) { training.model = before; }});
  EXPECT_EQ(training.model.first.weight, before.first.weight);
}

}  // namespace
}  // namespace ddx::train
