#include "ddx/train/detail/loop_control.h"

#include "ddx/train/detail/borrowed.h"
#include "ddx/train/events.h"
#include "ddx/train/loop.h"

#include <cstdint>

namespace ddx::train::detail {
namespace {

std::uint8_t bit(Scope scope) noexcept {
  return static_cast<std::uint8_t>(1U << static_cast<unsigned>(scope));
}

}  // namespace

void LoopControl::tell(Event event) {
  for (const auto& callback : callbacks_) {
    if (const auto& function = callback.*event) {
      function(loop_);
    }
  }
}

void LoopControl::begin(Scope scope, Event event) {
  loop_.running_ |= bit(scope);
  tell(event);
}

void LoopControl::end(Scope scope, Event event) {
  const bool inside_cancelled = loop_.cancelled_ && *loop_.cancelled_ > scope;
  if (!inside_cancelled) {
    loop_.cancelled_.reset();
    tell(event);
    // Nothing is left of this part: only what lies around it can still be cancelled.
    if (loop_.cancelled_ && *loop_.cancelled_ <= scope) {
      loop_.cancelled_.reset();
    }
  }
  loop_.running_ &= static_cast<std::uint8_t>(~bit(scope));
}

void LoopControl::begin_epoch() {
  loop_.epoch_ = position_.epoch + 1;
  loop_.trained_samples_ = position_.samples;
  loop_.trained_loss_sum_ = position_.loss_sum;
  loop_.validated_samples_ = 0;
  loop_.validated_loss_sum_ = 0;
  begin(Scope::Epoch, &Events::epoch_begins);
}

void LoopControl::begin_phase(Phase phase, std::int64_t done, std::int64_t batches) {
  loop_.phase_ = phase;
  loop_.batch_ = done;
  loop_.batches_ = batches;
}

void LoopControl::begin_training(std::int64_t done, std::int64_t batches) {
  loop_.steps_per_epoch_ = batches;
  begin_phase(Phase::Training, done, batches);
  begin(Scope::Training, &Events::training_begins);
}

void LoopControl::begin_validation(std::int64_t batches) {
  begin_phase(Phase::Validation, 0, batches);
  begin(Scope::Validation, &Events::validation_begins);
}

void LoopControl::begin_batch(const SampleCounts& samples, Borrowed data, Borrowed input,
                              Borrowed target) {
  ++loop_.batch_;
  loop_.samples_ = samples.all;
  loop_.own_samples_ = samples.own;
  loop_.data_ = data;
  loop_.input_ = input;
  loop_.target_ = target;
  begin(Scope::Batch, &Events::batch_begins);
}

void LoopControl::set_loss(double loss, Borrowed output, Borrowed gradient) {
  loop_.loss_ = loss;
  loop_.output_ = output;
  loop_.gradient_ = gradient;
  tell(&Events::prediction_ended);
}

void LoopControl::end_batch() {
  const bool completed = !loop_.cancelled_;
  const bool trains = loop_.phase_ == Phase::Training;
  // One that was left out is passed over; an end of the fit leaves it for the next one.
  if (trains && goes_on(Scope::Fit)) {
    ++position_.step;
  }
  if (!completed) {
    if (*loop_.cancelled_ == Scope::Batch) {
      loop_.cancelled_.reset();
    }
    loop_.running_ &= static_cast<std::uint8_t>(~bit(Scope::Batch));
    forget_batch();
    return;
  }
  auto& samples = trains ? loop_.trained_samples_ : loop_.validated_samples_;
  auto& loss_sum = trains ? loop_.trained_loss_sum_ : loop_.validated_loss_sum_;
  samples += loop_.samples_;
  loss_sum += *loop_.loss_ * static_cast<double>(loop_.samples_);
  if (trains) {
    position_.samples = samples;
    position_.loss_sum = loss_sum;
  }
  end(Scope::Batch, &Events::batch_ended);
  forget_batch();
}

void LoopControl::forget_batch() noexcept {
  loop_.data_ = loop_.input_ = loop_.target_ = loop_.output_ = loop_.gradient_ = Borrowed();
}

void LoopControl::end_training() {
  if (!goes_on(Scope::Training) && goes_on(Scope::Fit)) {
    position_.step = loop_.batches_;
  }
  end(Scope::Training, &Events::training_ended);
  loop_.phase_ = Phase::None;
}

void LoopControl::end_validation() {
  end(Scope::Validation, &Events::validation_ended);
  loop_.phase_ = Phase::None;
}

void LoopControl::end_epoch() {
  if (goes_on(Scope::Fit)) {
    position_ = {.epoch = position_.epoch + 1};
  }
  end(Scope::Epoch, &Events::epoch_ended);
}

}  // namespace ddx::train::detail
