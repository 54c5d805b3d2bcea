/// \file
/// A rise before any other schedule.

#pragma once

#include "ddx/nn/detail/options.h"
#include "ddx/nn/schedules/schedule.h"

#include <cstdint>
#include <utility>

namespace ddx::nn {

/// The settings of WarmUp.
struct WarmUpOptions {
  std::int64_t steps = 1;   ///< Steps of the rise.
  double start_factor = 0;  ///< What part of the first value after the rise it begins with.

  friend bool operator==(const WarmUpOptions&, const WarmUpOptions&) = default;
};

/// A rise along a line to the first value of another schedule, which then follows from its first
/// step on. In step t < n: after(0) (f + (1 - f) t / n), f being the start factor; else after(t -
/// n).
///
/// Source:  P. Goyal et al., "Accurate, large minibatch SGD: training ImageNet in 1 hour", 2017.
/// Example:
///   const WarmUp rate({.steps = 500}, CosineDecay({.initial = 0.1, .steps = 10'000}));
template <Schedule After>
class WarmUp {
 public:
  /// Throws:  UsageError where the steps are below 1, or the factor is negative or not finite.
  WarmUp(const WarmUpOptions& options, After after) : options_(options), after_(std::move(after)) {
    detail::require_positive(name, "steps", options.steps);
    detail::require_not_negative(name, "start_factor", options.start_factor);
  }

  /// The value of a step.
  ///
  /// Throws:  UsageError where the step is negative.
  [[nodiscard]] double operator()(std::int64_t step) const {
    const double share = detail::elapsed_share(name, step, options_.steps);
    if (share == 1) {
      return after_(step - options_.steps);
    }
    const double factor = options_.start_factor;
    return after_(0) * (factor + (1 - factor) * share);
  }

  friend bool operator==(const WarmUp&, const WarmUp&) = default;

 private:
  static constexpr const char* name = "WarmUp";

  WarmUpOptions options_;
  After after_;
};

}  // namespace ddx::nn
