/// \file
/// A training in progress, as a value.

#pragma once

#include "ddx/train/position.h"

namespace ddx::train {

/// All that changes in training: a checkpoint holds exactly this.
template <class Model, class Optimizer>
struct Training {
  Model model;
  Optimizer optimizer;
  Position position = {};
};

/// A training from the start, unless a position is given.
template <class Model, class Optimizer>
Training(Model, Optimizer) -> Training<Model, Optimizer>;

}  // namespace ddx::train
