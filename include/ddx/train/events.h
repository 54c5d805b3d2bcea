/// \file
/// What a training loop tells its user, and what it asks.

#pragma once

#include "ddx/train/position.h"

#include <cstdint>
#include <functional>

namespace ddx::train {

/// A step is about to be taken.
struct StepBegins {
  const Position& position;
  std::int64_t steps_in_epoch;
};

/// A step was taken.
struct StepEnded {
  const Position& position;  ///< After the step.
  std::int64_t steps_in_epoch;
  double loss;  ///< Of this step's batch, before the step.
};

/// An epoch has ended.
struct EpochEnded {
  std::int64_t epoch;  ///< The first is 1.
  double mean_loss;    ///< Over its samples, each seen by the model of its step.
};

/// What to call when; each may be absent. Called between steps: they may read and change model and
/// optimiser, write checkpoints, and throw, which ends the loop with the training intact.
struct Events {
  /// Asked before each step.
  std::function<bool()> should_stop = {};
  std::function<void(const StepBegins&)> step_begins = {};
  std::function<void(const StepEnded&)> step_ended = {};
  /// The position is already the next epoch's.
  std::function<void(const EpochEnded&)> epoch_ended = {};
};

}  // namespace ddx::train
