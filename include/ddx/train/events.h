/// \file
/// The events of a training loop.

#pragma once

#include "ddx/train/loop.h"

#include <functional>
#include <vector>

namespace ddx::train {

/// What to call when; each may be absent. A callback is a value that gives such functions.
///
/// They may read and change model and optimiser, write checkpoints, cancel parts of the loop, and
/// throw. What they throw ends the loop and leaves the training between two steps: model, optimiser
/// and position belong together.
///
/// In order, for one epoch with one batch of each kind: fit_begins, epoch_begins, training_begins,
/// batch_begins, prediction_ended, update_begins, batch_ended, training_ended, validation_begins,
/// batch_begins, prediction_ended, batch_ended, validation_ended, epoch_ended, fit_ended.
struct Events {
  using Function = std::function<void(Loop&)>;

  Function fit_begins = {};
  Function epoch_begins = {};
  Function training_begins = {};
  Function validation_begins = {};
  /// The batch has been made; in both phases.
  Function batch_begins = {};
  /// Loss, output and, in training, gradient are known.
  Function prediction_ended = {};
  /// The step is about to be taken; the gradient may be changed, but not its shapes.
  Function update_begins = {};
  /// In training, the position is after the step.
  Function batch_ended = {};
  Function training_ended = {};
  Function validation_ended = {};
  /// The position is already the next epoch's.
  Function epoch_ended = {};
  Function fit_ended = {};
};

/// Several callbacks; each event is passed to them in this order.
using Callbacks = std::vector<Events>;

}  // namespace ddx::train
