#include "ddx/train/show_progress.h"

#include "ddx/nn/optimizers/sgd.h"
#include "ddx/train/events.h"
#include "ddx/train/fit.h"
#include "ddx/train/loop.h"
#include "ddx/train/sets.h"

#include "tests/support/scripted_training.h"

#include <chrono>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace ddx::train {
namespace show_progress_test {

using ddx::testing::Countdown;
using ddx::testing::EmptySamples;
using ddx::testing::new_countdown;
using ddx::testing::run_countdown;
using std::chrono::milliseconds;

TEST(ShowProgress, PrintsLinesWithRateAndTimeLeftAwayFromATerminal) {
  std::chrono::steady_clock::time_point now{};
  const Events time{.batch_ended = [&](Loop&) { now += milliseconds(250); }};
  std::ostringstream out;
  auto training = new_countdown();
  // The losses are 0, -1, -2, -3 and their means so far 0, -0.5, -1, -1.5.
  (void)run_countdown(training, 1, 4, {time, show_progress(out, {.clock = [&] { return now; }})});
  EXPECT_EQ(out.str(),
            "epoch 1/1: 1/4, loss 0, 4.00 steps/s, 0:01 left\n"
            "epoch 1/1: 2/4, loss -0.5, 4.00 steps/s, 0:01 left\n"
            "epoch 1/1: 3/4, loss -1, 4.00 steps/s, 0:01 left\n"
            "epoch 1/1: 4/4, loss -1.5, 4.00 steps/s, 0:00 left\n"
            "epoch 1/1: loss -1.5, 0:01\n");
}

TEST(ShowProgress, TheEpochsLineHasTheValidation) {
  std::ostringstream out;
  auto training = new_countdown();
  const EmptySamples two{.count = 2};
  (void)fit(
      training, Sets{two, two}, [](const Countdown& model, int) { return model.value; },
      {.epochs = 1, .batch_size = 2},
      {show_progress(out, {.clock = [] { return std::chrono::steady_clock::time_point(); }})});
  EXPECT_EQ(out.str(),
            "epoch 1/1: 1/1, loss 0\n"
            "epoch 1/1: loss 0, validation loss -1, 0:00\n");
}

TEST(ShowProgress, ATerminalIsLeftCleanWhereTheFitIsCancelled) {
  std::ostringstream out;
  auto training = new_countdown();
  const Events stop{.batch_ended = [](Loop& loop) { loop.cancel(Scope::Fit); }};
  (void)run_countdown(
      training, 1, 4,
      {show_progress(out, {.is_terminal = true,
                           .clock = [] { return std::chrono::steady_clock::time_point(); }}),
       stop});
  const std::string bar = "epoch 1/1 [=======>                      ] 1/4 loss 0";
  EXPECT_EQ(out.str(), "\r" + bar + "\r" + std::string(bar.size(), ' ') + "\r");
}

TEST(ShowProgress, AResumedEpochsRateCountsItsOwnSteps) {
  std::chrono::steady_clock::time_point now{};
  auto training = new_countdown();
  const Events stop{.batch_ended = [](Loop& loop) { loop.cancel(Scope::Fit); }};
  (void)run_countdown(training, 1, 2, {stop});
  std::ostringstream out;
  const Events time{.batch_ended = [&](Loop&) { now += milliseconds(500); }};
  (void)run_countdown(training, 1, 2, {time, show_progress(out, {.clock = [&] { return now; }})});
  EXPECT_EQ(out.str(),
            "epoch 1/1: 2/2, loss -0.5, 2.00 steps/s, 0:00 left\nepoch 1/1: loss -0.5, 0:01\n");
}

}  // namespace show_progress_test
}  // namespace ddx::train
