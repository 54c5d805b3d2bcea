/// \file
/// The training loop.

#pragma once

#include "ddx/core/random_key.h"
#include "ddx/data/epoch.h"
#include "ddx/train/detail/step.h"
#include "ddx/train/events.h"
#include "ddx/train/training.h"

#include <cstdint>

namespace ddx::train {

/// What a loop needs to know.
struct FitOptions {
  std::int64_t epochs = 1;      ///< In all, those before a resumption included.
  std::int64_t batch_size = 1;  ///< Samples per step; the last step of an epoch takes what is left.
  RandomKey key{0};             ///< Decides the order of the samples and what layers draw.
};

/// How a loop ended.
enum class Outcome : std::uint8_t { Finished, Stopped };

/// Trains from `training.position` to the end of the last epoch, or until an event asks to stop.
/// Each epoch takes the samples in an order of its own. What a step does depends on the options and
/// the position alone: a training that was stopped, saved and loaded continues with the same bits.
///
/// `loss(model, batch)` gives the mean loss of a batch as a number or a tensor with one element.
/// The compiler differentiates it by the model.
///
/// Throws:  UsageError where the batch size is below 1, or a loss is not finite (names epoch and
///          step; the step is not taken).
/// Example:
///   fit(training, digits, [](const auto& model, const auto& batch) {
///     return softmax_cross_entropy(model(batch.images), batch.labels);
///   }, {.epochs = 5, .batch_size = 64});
template <class Model, class Optimizer, data::Dataset Data, class Loss>
Outcome fit(Training<Model, Optimizer>& training, const Data& samples, const Loss& loss,
            const FitOptions& options, const Events& events = {}) {
  const auto [order_key, step_key] = options.key.split();
  auto& position = training.position;
  while (position.epoch < options.epochs) {
    const auto epoch_number = static_cast<std::uint64_t>(position.epoch);
    const data::Epoch epoch(samples, options.batch_size,
                            data::shuffled_order(samples.size(), order_key.fold_in(epoch_number)));
    while (position.step < epoch.size()) {
      if (events.should_stop && events.should_stop()) {
        return Outcome::Stopped;
      }
      if (events.step_begins) {
        events.step_begins({position, epoch.size()});
      }
      const auto batch = epoch[position.step];
      const auto key =
          step_key.fold_in(epoch_number).fold_in(static_cast<std::uint64_t>(position.step));
      const double value = detail::take_step(training, batch, loss, key);
      const auto count = epoch.samples_in(position.step);
      ++position.step;
      position.samples += count;
      position.loss_sum += value * static_cast<double>(count);
      if (events.step_ended) {
        events.step_ended({position, epoch.size(), value});
      }
    }
    const EpochEnded report{.epoch = position.epoch + 1,
                            .mean_loss = position.loss_sum / static_cast<double>(position.samples)};
    position = {.epoch = position.epoch + 1};
    if (events.epoch_ended) {
      events.epoch_ended(report);
    }
  }
  return Outcome::Finished;
}

}  // namespace ddx::train
