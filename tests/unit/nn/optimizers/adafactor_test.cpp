#include "ddx/nn/optimizers/adafactor.h"

#include "tests/support/recorded_optimizer.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::nn {
namespace adafactor_test {

using ddx::testing::expect_option_refused;
using ddx::testing::expect_recorded_steps;
using Recorded = Adafactor<ddx::testing::RecordedModel>;

TEST(Adafactor, StepsAsThePaperSaysAndPyTorchDoes) {
  expect_recorded_steps<Recorded>("adafactor", AdafactorOptions{.learning_rate = 0.05});
  expect_recorded_steps<Recorded>("adafactor_clipped",
                                  AdafactorOptions{.learning_rate = 0.1, .clip_threshold = 0.5});
  expect_recorded_steps<Recorded>("adafactor_decay",
                                  AdafactorOptions{.learning_rate = 0.1, .weight_decay = 0.3});
}

TEST(Adafactor, ItsStateHasNames) {
  const ddx::testing::RecordedModel model;
  Recorded optimizer(model);
  EXPECT_EQ(ddx::testing::state_names(optimizer),
            (std::vector<std::string>{"rows.vector", "rows.matrix", "rows.number", "columns.vector",
                                      "columns.matrix", "columns.number", "square.vector",
                                      "square.matrix", "square.number", "steps"}));
}

TEST(Adafactor, ImpossibleOptionsAreAnError) {
  expect_option_refused<Recorded>(
      AdafactorOptions{.learning_rate = -0.5},
      "Adafactor: learning_rate is -0.5, expected a finite number of at least 0");
  expect_option_refused<Recorded>(
      AdafactorOptions{.decay_exponent = -0.5},
      "Adafactor: decay_exponent is -0.5, expected a finite number of at least 0");
  expect_option_refused<Recorded>(
      AdafactorOptions{.square_epsilon = 0},
      "Adafactor: square_epsilon is 0, expected a finite number above 0");
  expect_option_refused<Recorded>(
      AdafactorOptions{.size_epsilon = -0.5},
      "Adafactor: size_epsilon is -0.5, expected a finite number of at least 0");
  expect_option_refused<Recorded>(
      AdafactorOptions{.clip_threshold = 0},
      "Adafactor: clip_threshold is 0, expected a finite number above 0");
  expect_option_refused<Recorded>(
      AdafactorOptions{.weight_decay = -0.5},
      "Adafactor: weight_decay is -0.5, expected a finite number of at least 0");
}

}  // namespace adafactor_test
}  // namespace ddx::nn
