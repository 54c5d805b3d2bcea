#include "ddx/train/events.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/optimizers/sgd.h"
#include "ddx/tensor/tensor.h"
#include "ddx/train/fit.h"
#include "ddx/train/loop.h"
#include "ddx/train/sets.h"
#include "ddx/train/training.h"

#include "tests/support/small_training.h"
#include "tests/support/temporary_folder.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ddx::train {
namespace events_test {

using ddx::testing::message_of;
using ddx::testing::small_loss;
using ddx::testing::SmallData;
using ddx::testing::SmallModel;

const FitOptions two_epochs{.epochs = 2, .batch_size = 6, .key = RandomKey(5)};

auto new_training() {
  const SmallModel model;
  return Training{model, nn::SGD(model, {.learning_rate = 0.1})};
}

struct NamedEvent {
  const char* name;
  Events::Function Events::* event;
};

const std::vector<NamedEvent> all_events = {
    {"fit(", &Events::fit_begins},           {"epoch(", &Events::epoch_begins},
    {"training(", &Events::training_begins}, {"validation(", &Events::validation_begins},
    {"batch(", &Events::batch_begins},       {"answer", &Events::prediction_ended},
    {"update", &Events::update_begins},      {")batch", &Events::batch_ended},
    {")training", &Events::training_ended},  {")validation", &Events::validation_ended},
    {")epoch", &Events::epoch_ended},        {")fit", &Events::fit_ended},
};

/// Notes every event by its name; then calls `act(name, loop)`.
template <class Act>
Events listening(std::string& heard, Act act) {
  Events events;
  for (const auto& entry : all_events) {
    events.*entry.event = [&heard, act, name = std::string(entry.name)](Loop& loop) {
      heard += (heard.empty() ? "" : " ") + name;
      act(name, loop);
    };
  }
  return events;
}

const SmallData six{.count = 6};

/// What is heard of one epoch with a training batch and a validation batch of six samples each,
/// where `scope` is cancelled at `event` for the first time it comes.
struct Cancelled {
  std::string heard;
  Outcome outcome;
  Position position;
  bool changed;
};

Cancelled cancelled(const std::string& at, Scope scope) {
  auto training = new_training();
  const auto before = training.model;
  std::string heard;
  bool done = false;
  const auto events = listening(heard, [&](const std::string& name, Loop& loop) {
    if (name == at && !std::exchange(done, true)) {
      loop.cancel(scope);
    }
  });
  const auto outcome =
      fit(training, Sets{six, six}, small_loss, {.epochs = 1, .batch_size = 6}, {events});
  return {heard, outcome, training.position, !(training.model.first.weight == before.first.weight)};
}

const std::string begun = "fit( epoch( training( ";
const std::string one_step = "batch( answer update )batch ";
const std::string one_validation = "validation( batch( answer )batch )validation ";

TEST(Events, ComeInTheOrderOfTheLoop) {
  auto training = new_training();
  std::string heard;
  const auto outcome = fit(training, Sets{SmallData(), six}, small_loss, two_epochs,
                           {listening(heard, [](const std::string&, Loop&) {})});
  EXPECT_EQ(outcome, Outcome::Finished);
  // Eleven samples in steps of six and five.
  const std::string epoch =
      "epoch( training( " + one_step + one_step + ")training " + one_validation;
  EXPECT_EQ(heard, "fit( " + epoch + ")epoch " + epoch + ")epoch )fit");
}

TEST(Events, WithoutValidationTellNothingOfIt) {
  auto training = new_training();
  std::string heard;
  (void)fit(training, six, small_loss, {.epochs = 1, .batch_size = 6},
            listening(heard, [](const std::string&, Loop&) {}));
  EXPECT_EQ(heard, begun + one_step + ")training )epoch )fit");
}

TEST(Events, TellWhereTheTrainingIs) {
  auto training = new_training();
  std::string heard;
  const auto place = [](Loop& loop) {
    const auto& position = loop.position();
    return std::to_string(position.epoch) + "." + std::to_string(position.step) + "." +
           std::to_string(position.samples) + "/" + std::to_string(loop.step());
  };
  (void)fit(training, SmallData(), small_loss, two_epochs,
            {.batch_begins = [&](Loop& loop) { heard += place(loop) + " "; },
             .batch_ended = [&](Loop& loop) { heard += place(loop) + ", "; },
             // The position belongs to the next epoch already.
             .epoch_ended =
                 [&](Loop& loop) {
                   heard += std::to_string(loop.epoch()) + " at " + place(loop) + "; ";
                 }});
  EXPECT_EQ(heard,
            "0.0.0/0 0.1.6/1, 0.1.6/1 0.2.11/2, 1 at 1.0.0/2; "
            "1.0.0/2 1.1.6/3, 1.1.6/3 1.2.11/4, 2 at 2.0.0/4; ");
}

TEST(Events, AreEachOptional) {
  auto alone = new_training();
  auto heard = new_training();
  EXPECT_EQ(fit(alone, SmallData(), small_loss, two_epochs), Outcome::Finished);
  EXPECT_EQ(fit(heard, SmallData(), small_loss, two_epochs, {.batch_begins = [](Loop&) {}}),
            Outcome::Finished);
  EXPECT_EQ(alone.model.first.weight, heard.model.first.weight);
}

TEST(Events, AreToldToAllListenersInTheirOrder) {
  auto training = new_training();
  std::string heard;
  const Events first{.batch_begins =
                         [&](Loop& loop) {
                           heard += "1";
                           loop.cancel(Scope::Batch);
                         },
                     .epoch_ended = [&](Loop&) { heard += "a"; }};
  const Events second{.batch_begins = [&](Loop&) { heard += "2"; },
                      .batch_ended = [&](Loop&) { heard += "never"; },
                      .epoch_ended = [&](Loop&) { heard += "b"; }};
  (void)fit(training, six, small_loss, {.epochs = 1, .batch_size = 3}, {first, second});
  EXPECT_EQ(heard, "1212ab");
}

TEST(Events, MayChangeTheModelBetweenSteps) {
  auto training = new_training();
  const auto before = training.model;
  (void)fit(training, SmallData(), small_loss, {.epochs = 1, .batch_size = 11},
            {.batch_ended = [&](Loop&) { training.model = before; }});
  EXPECT_EQ(training.model.first.weight, before.first.weight);
}

TEST(Events, ACancelledBatchIsPassedOverWithoutAStep) {
  for (const std::string event : {"batch(", "answer", "update"}) {
    const auto result = cancelled(event, Scope::Batch);
    const std::string heard = event == "batch("   ? "batch( "
                              : event == "answer" ? "batch( answer "
                                                  : "batch( answer update ";
    EXPECT_EQ(result.heard, begun + heard + ")training " + one_validation + ")epoch )fit") << event;
    EXPECT_EQ(result.outcome, Outcome::Finished);
    EXPECT_FALSE(result.changed) << event;
  }
  // Nothing is left of it at its end.
  const auto late = cancelled(")batch", Scope::Batch);
  EXPECT_EQ(late.heard, begun + one_step + ")training " + one_validation + ")epoch )fit");
  EXPECT_TRUE(late.changed);
}

TEST(Events, ACancelledTrainingIsFollowedByItsEndAndTheValidation) {
  const auto result = cancelled("batch(", Scope::Training);
  EXPECT_EQ(result.heard, begun + "batch( )training " + one_validation + ")epoch )fit");
  EXPECT_FALSE(result.changed);
  EXPECT_EQ(cancelled("training(", Scope::Training).heard,
            begun + ")training " + one_validation + ")epoch )fit");
}

TEST(Events, ACancelledValidationIsFollowedByItsEnd) {
  EXPECT_EQ(cancelled("validation(", Scope::Validation).heard,
            begun + one_step + ")training validation( )validation )epoch )fit");
}

TEST(Events, ACancelledEpochIsFollowedByItsEndAlone) {
  for (const std::string event : {"epoch(", "training(", "batch(", "update", ")training"}) {
    const auto result = cancelled(event, Scope::Epoch);
    EXPECT_TRUE(result.heard.ends_with(event + " )epoch )fit")) << result.heard;
    EXPECT_EQ(result.position, (Position{.epoch = 1})) << event;
    EXPECT_EQ(result.outcome, Outcome::Finished);
  }
}

TEST(Events, ACancelledFitIsFollowedByItsEndAndStaysWhereItIs) {
  for (const std::string event : {"epoch(", "training(", "batch(", "answer", "update"}) {
    const auto result = cancelled(event, Scope::Fit);
    EXPECT_TRUE(result.heard.ends_with(event + " )fit")) << result.heard;
    EXPECT_EQ(result.position, Position()) << event;
    EXPECT_EQ(result.outcome, Outcome::Stopped);
    EXPECT_FALSE(result.changed) << event;
  }
  const auto between = cancelled("validation(", Scope::Fit);
  EXPECT_EQ(between.position.step, 1);
  EXPECT_EQ(between.outcome, Outcome::Stopped);
  EXPECT_TRUE(between.changed);
  EXPECT_EQ(cancelled(")epoch", Scope::Fit).outcome, Outcome::Finished);
}

TEST(Events, AFitStoppedInValidationJudgesAgainWhenItGoesOn) {
  auto training = new_training();
  const Sets sets{six, six};
  const FitOptions options{.epochs = 1, .batch_size = 6};
  (void)fit(training, sets, small_loss, options,
            {Events{.validation_begins = [](Loop& loop) { loop.cancel(Scope::Fit); }}});
  std::string heard;
  (void)fit(training, sets, small_loss, options,
            {listening(heard, [](const std::string&, Loop&) {})});
  EXPECT_EQ(heard, begun + ")training " + one_validation + ")epoch )fit");
}

TEST(Events, OnlyWhatRunsCanBeCancelled) {
  const auto error = [](const std::string& event, Scope scope) {
    return message_of<UsageError>([&] { (void)cancelled(event, scope); });
  };
  EXPECT_EQ(error("training(", Scope::Batch),
            "Loop: cannot cancel the batch at this event: none is running");
  EXPECT_EQ(error("training(", Scope::Validation),
            "Loop: cannot cancel the validation at this event: none is running");
  EXPECT_EQ(error("validation(", Scope::Training),
            "Loop: cannot cancel the training at this event: none is running");
  EXPECT_EQ(error("fit(", Scope::Epoch),
            "Loop: cannot cancel the epoch at this event: none is running");
}

TEST(Events, WhatTheyThrowLeavesTheTrainingBetweenTwoSteps) {
  auto whole = new_training();
  (void)fit(whole, Sets{SmallData(), six}, small_loss, two_epochs, Callbacks{});
  for (const auto& [thrower, event] : all_events) {
    auto training = new_training();
    int times = 0;
    Events events;
    events.*event = [&](Loop&) {
      // The second time, where there is one: in the middle of things.
      if (++times == (event == &Events::fit_begins || event == &Events::fit_ended ? 1 : 2)) {
        throw std::runtime_error("enough");
      }
    };
    const Sets sets{SmallData(), six};
    EXPECT_THROW((void)fit(training, sets, small_loss, two_epochs, {events}), std::runtime_error)
        << thrower;
    // It goes on from there to the same bits.
    (void)fit(training, sets, small_loss, two_epochs, Callbacks{});
    EXPECT_EQ(training.model.first.weight, whole.model.first.weight) << thrower;
    EXPECT_EQ(training.model.norm.running_mean, whole.model.norm.running_mean) << thrower;
    EXPECT_EQ(training.position, whole.position) << thrower;
  }
}

}  // namespace events_test
}  // namespace ddx::train
