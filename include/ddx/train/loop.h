/// \file
/// What a running training loop shows to those it calls.

#pragma once

#include "ddx/train/detail/borrowed.h"
#include "ddx/train/position.h"

#include <cstdint>
#include <optional>

namespace ddx::train {

namespace detail {
class LoopControl;
}  // namespace detail

/// The parts of a loop that can be cancelled, inner ones first.
enum class Scope : std::uint8_t { Batch, Training, Validation, Epoch, Fit };

/// Renders as "batch", "training", "validation", "epoch" or "fit".
[[nodiscard]] const char* to_string(Scope scope) noexcept;

/// What a loop does with the batches that come.
enum class Phase : std::uint8_t { None, Training, Validation };

/// The state of a loop, as seen from an event. Exists for the duration of the event.
class Loop {
 public:
  /// What the loop does now; None outside of its two phases.
  [[nodiscard]] Phase phase() const noexcept { return phase_; }
  /// The number of the epoch; the first is 1. When it has ended, still its own.
  [[nodiscard]] std::int64_t epoch() const noexcept { return epoch_; }
  /// The number of epochs the loop was asked for.
  [[nodiscard]] std::int64_t epochs() const noexcept { return epochs_; }
  /// The number of the batch in its phase; the first is 1. Between phases, that of the last one.
  [[nodiscard]] std::int64_t batch() const noexcept { return batch_; }
  /// The number of batches in the phase.
  [[nodiscard]] std::int64_t batches() const noexcept { return batches_; }
  /// The number of samples in the batch, of all replicas together.
  [[nodiscard]] std::int64_t samples() const noexcept { return samples_; }
  /// The number of samples in this replica's part of the batch. Where it is 0, the part has a
  /// sample all the same, which counts for nothing.
  [[nodiscard]] std::int64_t own_samples() const noexcept { return own_samples_; }
  /// Where the training stands: after the step once a training batch has ended, and at the next
  /// epoch once an epoch has ended.
  [[nodiscard]] const Position& position() const noexcept { return position_; }
  /// The number of steps that lie before this position, in all epochs.
  [[nodiscard]] std::int64_t step() const noexcept {
    return position_.epoch * steps_per_epoch_ + position_.step;
  }

  /// The loss of the last batch, over all replicas; in training, before its step.
  ///
  /// Throws:  UsageError before the first batch has an answer.
  [[nodiscard]] double loss() const;
  /// The mean loss of the epoch's training over its samples so far, each seen by the model of its
  /// step; NaN before the first. Known until the epoch has ended.
  [[nodiscard]] double mean_loss() const noexcept;
  /// The mean loss of the epoch's validation over its samples so far; nothing without any.
  [[nodiscard]] std::optional<double> validation_loss() const noexcept;

  /// What the data set made of the samples. Known from batch_begins to batch_ended.
  ///
  /// Throws:  UsageError where it is not known at this event, or is of another type; names both.
  template <class T>
  [[nodiscard]] const T& batch_of() const {
    return data_.as<T>("batch");
  }
  /// What the model is given. Known with a Supervised objective.
  ///
  /// Throws:  as batch_of.
  template <class T>
  [[nodiscard]] const T& input() const {
    return input_.as<T>("input");
  }
  /// What the model should answer. Known with a Supervised objective.
  ///
  /// Throws:  as batch_of.
  template <class T>
  [[nodiscard]] const T& target() const {
    return target_.as<T>("target");
  }
  /// What the model answers. Known with a Supervised objective, from prediction_ended on.
  ///
  /// Throws:  as batch_of.
  template <class T>
  [[nodiscard]] const T& output() const {
    return output_.as<T>("output");
  }
  /// The gradient of the loss by the model: a `TangentOf<Model>`, known in training at
  /// prediction_ended and update_begins. The optimiser gets what update_begins leaves of it.
  ///
  /// Throws:  as batch_of.
  template <class T>
  [[nodiscard]] T& gradient() {
    return gradient_.as<T>("gradient");
  }

  /// Ends a running part of the loop at once. All callbacks still receive this event. Then the rest
  /// of the part is skipped, and the end events of the part and of those around it follow. A
  /// cancelled batch has no end event.
  ///
  /// A training batch that is cancelled before its end takes no step. Cancelling batch, training or
  /// epoch moves the position on, so that what was left out stays so; cancelling the fit leaves the
  /// position where it is, so that another fit goes on there.
  ///
  /// Throws:  UsageError where no such part is running.
  void cancel(Scope scope);

 private:
  friend class detail::LoopControl;

  Loop(const Position& position, std::int64_t epochs) : position_(position), epochs_(epochs) {}

  [[nodiscard]] bool is_running(Scope scope) const noexcept;

  const Position& position_;
  std::int64_t epochs_;
  Phase phase_ = Phase::None;
  std::int64_t epoch_ = 0;
  std::int64_t batch_ = 0;
  std::int64_t batches_ = 0;
  std::int64_t samples_ = 0;
  std::int64_t own_samples_ = 0;
  std::int64_t steps_per_epoch_ = 0;
  std::int64_t trained_samples_ = 0;
  double trained_loss_sum_ = 0;
  std::int64_t validated_samples_ = 0;
  double validated_loss_sum_ = 0;
  std::optional<double> loss_;
  detail::Borrowed data_;
  detail::Borrowed input_;
  detail::Borrowed target_;
  detail::Borrowed output_;
  detail::Borrowed gradient_;
  std::uint8_t running_ = 0;  // A bit for each scope.
  std::optional<Scope> cancelled_;
};

}  // namespace ddx::train
