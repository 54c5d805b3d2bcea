/// \file
/// The training loop.

#pragma once

#include "ddx/core/random_key.h"
#include "ddx/data/epoch.h"
#include "ddx/data/prefetched.h"
#include "ddx/data/training_epochs.h"
#include "ddx/distributed/process_group.h"
#include "ddx/train/broadcast_training.h"
#include "ddx/train/detail/borrowed.h"
#include "ddx/train/detail/loop_control.h"
#include "ddx/train/detail/replica.h"
#include "ddx/train/detail/step.h"
#include "ddx/train/events.h"
#include "ddx/train/sets.h"
#include "ddx/train/training.h"

#include <cstdint>
#include <exception>
#include <optional>

namespace ddx::train {

/// What a loop needs to know.
struct FitOptions {
  std::int64_t epochs = 1;      ///< In all, those before a resumption included.
  std::int64_t batch_size = 1;  ///< Samples per step, of all replicas together.
  RandomKey key{0};             ///< Decides the order of the samples and what layers draw.
  /// Whether an epoch leaves out what is left for a last, smaller batch.
  bool drop_last = false;
  data::OrderFunction order = data::shuffled_order;
  /// Whether threads make the batches ahead; the result is the same. The data set is then asked
  /// from those threads.
  std::optional<data::PrefetchOptions> prefetch = std::nullopt;
  /// The replicas that train together, this one among them.
  distributed::ProcessGroup group = {};
};

/// How a loop ended: with its last epoch, or cancelled before.
enum class Outcome : std::uint8_t { Finished, Stopped };

namespace detail {

/// Which part of each batch a replica has.
inline data::BatchPart part_of(const distributed::ProcessGroup& group) noexcept {
  return {.number = group.rank(), .count = group.size()};
}

/// Shows a batch to the callbacks, and does `work` with it unless they cancel that.
template <class Model, class Objective, class Batch, class Work>
void run_batch(LoopControl& control, const Objective& objective, const SampleCounts& samples,
               const Batch& batch, const Work& work) {
  LossEvaluation<Model, Batch, Objective> evaluation{batch, objective};
  control.begin_batch(samples, Borrowed(batch), evaluation.input(), evaluation.target());
  if (control.goes_on(Scope::Batch)) {
    work(evaluation);
  }
  control.end_batch();
}

/// The batches of an epoch in their order, made when they are needed or ahead.
template <class Data>
class BatchSource {
 public:
  BatchSource(const data::Epoch<Data>& epoch, std::int64_t first,
              const std::optional<data::PrefetchOptions>& prefetch)
      : epoch_(epoch), next_(first) {
    if (prefetch) {
      ahead_.emplace(epoch, first, epoch.size(), *prefetch);
    }
  }

  /// There must be one more.
  [[nodiscard]] auto next() {
    const auto place = next_++;
    return ahead_ ? *ahead_->next() : epoch_[place];
  }

 private:
  const data::Epoch<Data>& epoch_;
  std::int64_t next_;
  std::optional<data::Prefetched<data::Epoch<Data>>> ahead_;
};

/// The steps of the running epoch that are left.
template <class Model, class Optimizer, class Data, class Objective>
void train_epoch(LoopControl& control, Training<Model, Optimizer>& training, const Data& samples,
                 const Objective& objective, const FitOptions& options) {
  auto& position = training.position;
  const auto [order_key, step_key] = options.key.split();
  const data::Epoch epoch =
      data::TrainingEpochs(samples, {.batch_size = options.batch_size,
                                     .key = order_key,
                                     .drop_last = options.drop_last,
                                     .order = options.order,
                                     .part = part_of(options.group)})[position.epoch];
  const auto epoch_key = step_key.fold_in(static_cast<std::uint64_t>(position.epoch));
  control.begin_training(position.step, epoch.size());
  BatchSource batches(epoch, position.step, options.prefetch);
  while (control.goes_on(Scope::Training) && position.step < epoch.size()) {
    const auto key = epoch_key.fold_in(static_cast<std::uint64_t>(position.step));
    const SampleCounts counts{.all = epoch.samples_in(position.step),
                              .own = epoch.own_samples_in(position.step)};
    run_batch<Model>(control, objective, counts, batches.next(), [&](auto& evaluation) {
      take_step(training, evaluation, key, control, {options.group, counts.own});
    });
  }
  control.end_training();
}

/// Judges the model by all samples, in their own order.
template <class Model, class Data, class Objective>
void validate(LoopControl& control, const Model& model, const Data& samples,
              const Objective& objective, const FitOptions& options) {
  const auto& group = options.group;
  const data::Epoch epoch(samples, options.batch_size, data::plain_order(samples.size()),
                          {.part = part_of(group)});
  control.begin_validation(epoch.size());
  for (std::int64_t i = 0; i < epoch.size() && control.goes_on(Scope::Validation); ++i) {
    const SampleCounts counts{.all = epoch.samples_in(i), .own = epoch.own_samples_in(i)};
    run_batch<Model>(control, objective, counts, epoch[i], [&](auto& evaluation) {
      evaluate_batch(model, evaluation, control, {group, counts.own});
    });
  }
  control.end_validation();
}

/// The loop on one replica; `validation(control)` runs after each epoch's training.
template <class Model, class Optimizer, class Data, class Objective, class Validation>
Outcome run_replica(Training<Model, Optimizer>& training, const Data& samples,
                    const Objective& objective, const FitOptions& options,
                    const Callbacks& callbacks, const Validation& validation) {
  broadcast_training(training, options.group);
  LoopControl control(training.position, options.epochs, callbacks);
  control.begin_fit();
  while (control.goes_on(Scope::Fit) && training.position.epoch < options.epochs) {
    control.begin_epoch();
    if (control.goes_on(Scope::Epoch)) {
      train_epoch(control, training, samples, objective, options);
    }
    if (control.goes_on(Scope::Epoch)) {
      validation(control);
    }
    control.end_epoch();
  }
  control.end_fit();
  return training.position.epoch < options.epochs ? Outcome::Stopped : Outcome::Finished;
}

/// The loop; where it fails on one replica, the others hear why.
template <class Model, class Optimizer, class Data, class Objective, class Validation>
Outcome run_fit(Training<Model, Optimizer>& training, const Data& samples,
                const Objective& objective, const FitOptions& options, const Callbacks& callbacks,
                const Validation& validation) {
  try {
    return run_replica(training, samples, objective, options, callbacks, validation);
  } catch (const std::exception& what) {
    options.group.give_up(what.what());
    throw;
  }
}

}  // namespace detail

/// Trains from `training.position` to the end of the last epoch, or until a callback cancels the
/// fit. Each epoch takes the samples in an order of its own. What a step does depends on the
/// options and the position alone: a training that was stopped, saved and loaded continues with the
/// same bits.
///
/// `objective` is a Supervised, or a function: `objective(model, batch)` gives the mean loss of a
/// batch as a number or a tensor with one element. The compiler differentiates it by the model.
///
/// With a group of several replicas, each calls this with the same arguments. They start from the
/// training of the first, and stay equal bit for bit: each takes its part of each batch, and
/// gradients, losses and layer statistics are averaged, weighted by samples (`average_gradients`).
/// So losses are those of one process with the same options, except for rounding, for random
/// numbers of layers and data sets, and for batch normalisation, which uses the statistics of a
/// part. Callbacks see the loss and the gradient of the whole batch, and data, output and target of
/// their own part. They must cancel on all replicas or on none; code that writes or prints belongs
/// on one replica only (`on_first`). A replica that throws ends the fit on all.
///
/// Throws:  UsageError where the batch size is below 1, a loss is not finite (names epoch and step;
///          the step is not taken), a callback has changed the shape of a gradient, or replicas
///          differ; EnvironmentError where a replica does not come; what a callback throws.
/// Example:
///   fit(training, digits, [](const auto& model, const auto& batch) {
///     return softmax_cross_entropy(model(batch.images), batch.labels);
///   }, {.epochs = 5, .batch_size = 64});
template <class Model, class Optimizer, data::Dataset Data, class Objective>
Outcome fit(Training<Model, Optimizer>& training, const Data& samples, const Objective& objective,
            const FitOptions& options, const Callbacks& callbacks) {
  return detail::run_fit(training, samples, objective, options, callbacks,
                         [](detail::LoopControl&) {});
}

/// As above; after each epoch's training, the model is judged by the validation samples.
template <class Model, class Optimizer, class Data, class Validation, class Objective>
Outcome fit(Training<Model, Optimizer>& training, const Sets<Data, Validation>& sets,
            const Objective& objective, const FitOptions& options, const Callbacks& callbacks) {
  return detail::run_fit(
      training, sets.training, objective, options, callbacks, [&](detail::LoopControl& control) {
        detail::validate(control, training.model, sets.validation, objective, options);
      });
}

/// With one listener or none: `fit(training, data, objective, options, {.epoch_ended = f})`.
template <class Model, class Optimizer, class Data, class Objective>
Outcome fit(Training<Model, Optimizer>& training, const Data& samples, const Objective& objective,
            const FitOptions& options, const Events& events = {}) {
  return fit(training, samples, objective, options, Callbacks{events});
}

}  // namespace ddx::train
