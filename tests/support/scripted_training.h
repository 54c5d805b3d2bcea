/// \file
/// A training whose losses are written down: for what listens to trainings.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/nn/optimizers/sgd.h"
#include "ddx/train/events.h"
#include "ddx/train/fit.h"
#include "ddx/train/loop.h"
#include "ddx/train/monitor.h"
#include "ddx/train/training.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ddx::testing {

/// A number that falls by 1 with each step.
struct Countdown {
  double value = 0;

  DDX_DIFFERENTIABLE(Countdown, value)
};

/// A data set of this many empty samples.
struct EmptySamples {
  std::int64_t count = 1;

  [[nodiscard]] std::int64_t size() const { return count; }
  [[nodiscard]] int batch(std::span<const std::int64_t>) const { return 0; }
};

using CountdownTraining = train::Training<Countdown, nn::SGD<Countdown>>;

/// A countdown from 0.
inline CountdownTraining new_countdown() {
  return {.model = {}, .optimizer = nn::SGD(Countdown(), {.learning_rate = 1})};
}

/// Runs it: each epoch takes `steps` steps.
inline train::Outcome run_countdown(CountdownTraining& training, std::int64_t epochs,
                                    std::int64_t steps, const train::Callbacks& callbacks) {
  return train::fit(
      training, EmptySamples{.count = steps},
      [](const Countdown& model, int) { return model.value; }, {.epochs = epochs, .batch_size = 1},
      callbacks);
}

/// Sees these values, one for each epoch of a training.
inline train::Monitor scripted(std::vector<double> values, train::Monitor monitor = {}) {
  monitor.value = [values = std::move(values)](const train::Loop& loop) {
    return values.at(static_cast<std::size_t>(loop.epoch() - 1));
  };
  return monitor;
}

}  // namespace ddx::testing
