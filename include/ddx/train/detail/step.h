/// \file
/// One step of a training.

#pragma once

#include "ddx/ad/operators.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/detail/loss_value.h"
#include "ddx/nn/visit.h"
#include "ddx/train/position.h"
#include "ddx/train/training.h"

#include <utility>

namespace ddx::train::detail {

/// Throws: UsageError where a loss is infinite or not a number.
void check_loss(double loss, const Position& position);

/// Takes one step and returns the loss before it. Where this throws, no step was taken.
template <class Model, class Optimizer, class Batch, class Loss>
double take_step(Training<Model, Optimizer>& training, const Batch& batch, const Loss& loss,
                 RandomKey key) {
  Model model = training.model;  // Shares its tensors, so that this costs no copy of them.
  nn::begin_step(model, key);
  auto [value, gradient] =
      value_with_gradient([&](const Model& current) { return loss(current, batch); }, model);
  const double number = nn::detail::loss_value(value);
  check_loss(number, training.position);
  nn::end_step(model);
  // The optimiser writes in place once nobody shares the tensors any more.
  training.model = std::move(model);
  training.optimizer.update(training.model, gradient);
  return number;
}

}  // namespace ddx::train::detail
