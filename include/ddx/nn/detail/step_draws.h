/// \file
/// What layers share that draw random numbers in training steps alone.

#pragma once

#include "ddx/core/random_key.h"

namespace ddx::nn::detail {

/// Whether a training step runs, and the key it gave; see begin_step in `ddx/nn/visit.h`.
struct StepDraws {
  bool training = false;
  RandomKey key{0};  ///< Of this step.

  /// The key decides what is drawn until the step ends.
  void begin_step(RandomKey key_of_step) {
    training = true;
    key = key_of_step;
  }
  /// Back to the identity; the key is forgotten, so that models after a step do not differ by it.
  void end_step() {
    training = false;
    key = RandomKey(0);
  }
};

}  // namespace ddx::nn::detail
