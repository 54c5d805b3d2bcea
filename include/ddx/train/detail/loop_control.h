/// \file
/// Moves the state of a loop and raises its events.

#pragma once

#include "ddx/train/detail/borrowed.h"
#include "ddx/train/events.h"
#include "ddx/train/loop.h"
#include "ddx/train/position.h"

#include <cstdint>
#include <span>

namespace ddx::train::detail {

/// How many samples a batch has, and how many of them this replica's part has.
struct SampleCounts {
  std::int64_t all = 0;
  std::int64_t own = 0;
};

/// What a loop is made with: begins and ends its parts, and knows which of them go on.
class LoopControl {
 public:
  using Event = Events::Function Events::*;

  /// Borrows all.
  LoopControl(Position& position, std::int64_t epochs, std::span<const Events> callbacks)
      : position_(position), callbacks_(callbacks), loop_(position, epochs) {}

  void begin_fit() { begin(Scope::Fit, &Events::fit_begins); }
  void begin_epoch();
  /// `done` batches lie before the next one.
  void begin_training(std::int64_t done, std::int64_t batches);
  void begin_validation(std::int64_t batches);
  void begin_batch(const SampleCounts& samples, Borrowed data, Borrowed input, Borrowed target);

  /// The model has returned its output; raises the event.
  void set_loss(double loss, Borrowed output, Borrowed gradient);
  /// The step comes next; raises the event.
  void begin_update() { tell(&Events::update_begins); }
  /// The step was taken. The gradient ends with it.
  void end_update() noexcept { loop_.gradient_ = Borrowed(); }

  /// Ends a batch: counts it unless it was cancelled.
  void end_batch();
  void end_training();
  void end_validation();
  /// The position goes to the next epoch unless the fit was cancelled.
  void end_epoch();
  void end_fit() { end(Scope::Fit, &Events::fit_ended); }

  /// Whether neither this part nor one around it has been cancelled.
  [[nodiscard]] bool goes_on(Scope scope) const noexcept {
    return !loop_.cancelled_ || *loop_.cancelled_ < scope;
  }

 private:
  void tell(Event event);
  void begin(Scope scope, Event event);
  void end(Scope scope, Event event);
  void begin_phase(Phase phase, std::int64_t done, std::int64_t batches);
  void forget_batch() noexcept;

  Position& position_;
  std::span<const Events> callbacks_;
  Loop loop_;
};

}  // namespace ddx::train::detail
