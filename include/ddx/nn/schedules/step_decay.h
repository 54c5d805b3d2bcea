/// \file
/// The schedule that falls in stairs.

#pragma once

#include "ddx/nn/detail/options.h"
#include "ddx/nn/schedules/schedule.h"

#include <cmath>
#include <cstdint>

namespace ddx::nn {

/// The settings of StepDecay.
struct StepDecayOptions {
  double initial = 0.01;
  double factor = 0.1;        ///< What each stair multiplies the value by.
  std::int64_t interval = 1;  ///< Steps of a stair.

  friend bool operator==(const StepDecayOptions&, const StepDecayOptions&) = default;
};

/// In step t: initial factor^floor(t / interval).
class StepDecay {
 public:
  /// Throws:  UsageError where `initial` or `factor` is negative or not finite, or the interval is
  ///          below 1.
  explicit StepDecay(const StepDecayOptions& options) : options_(options) {
    detail::require_not_negative(name, "initial", options.initial);
    detail::require_not_negative(name, "factor", options.factor);
    detail::require_positive(name, "interval", options.interval);
  }

  /// The value of a step.
  ///
  /// Throws:  UsageError where the step is negative.
  [[nodiscard]] double operator()(std::int64_t step) const {
    const double stairs =
        std::floor(detail::checked_step(name, step) / static_cast<double>(options_.interval));
    return options_.initial * std::pow(options_.factor, stairs);
  }

  friend bool operator==(const StepDecay&, const StepDecay&) = default;

 private:
  static constexpr const char* name = "StepDecay";

  StepDecayOptions options_;
};

}  // namespace ddx::nn
