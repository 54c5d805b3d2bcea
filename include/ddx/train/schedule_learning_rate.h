/// \file
/// Learning rates that change while a training runs.

#pragma once

#include "ddx/train/events.h"
#include "ddx/train/loop.h"

#include <concepts>
#include <cstdint>
#include <utility>

namespace ddx::train {

namespace detail {

/// The rate itself.
///
/// Throws:  UsageError where it is negative or no finite number; names the step.
double checked_rate(double rate, std::int64_t step);

}  // namespace detail

/// Sets the learning rate before each step to `rate(step)`, where step counts those before it in
/// all epochs: a resumed training agrees. Borrows the optimiser.
///
/// Throws:  UsageError, within the loop, where a rate is negative or no finite number.
/// Example:
///   schedule_learning_rate(training.optimizer,
///                          [](std::int64_t step) { return step < 1000 ? 1e-3 : 1e-4; })
template <class Optimizer, std::invocable<std::int64_t> Schedule>
[[nodiscard]] Events schedule_learning_rate(Optimizer& optimizer, Schedule rate) {
  return {.batch_begins = [&optimizer, rate = std::move(rate)](Loop& loop) {
    if (loop.phase() == Phase::Training) {
      const auto step = loop.step();
      optimizer.options.learning_rate = detail::checked_rate(static_cast<double>(rate(step)), step);
    }
  }};
}

}  // namespace ddx::train
