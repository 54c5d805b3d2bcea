/// \file
/// The schedule that falls as the inverse of time.

#pragma once

#include "ddx/nn/detail/options.h"
#include "ddx/nn/schedules/schedule.h"

#include <cstdint>

namespace ddx::nn {

/// The settings of InverseTimeDecay.
struct InverseTimeDecayOptions {
  double initial = 0.01;
  double decay = 0.1;  ///< How much the divisor grows over `interval` steps.
  std::int64_t interval = 1;

  friend bool operator==(const InverseTimeDecayOptions&, const InverseTimeDecayOptions&) = default;
};

/// In step t: initial / (1 + decay t / interval).
class InverseTimeDecay {
 public:
  /// Throws:  UsageError where `initial` or `decay` is negative or not finite, or the interval is
  ///          below 1.
  explicit InverseTimeDecay(const InverseTimeDecayOptions& options) : options_(options) {
    detail::require_not_negative(name, "initial", options.initial);
    detail::require_not_negative(name, "decay", options.decay);
    detail::require_positive(name, "interval", options.interval);
  }

  /// The value of a step.
  ///
  /// Throws:  UsageError where the step is negative.
  [[nodiscard]] double operator()(std::int64_t step) const {
    return options_.initial / (1 + options_.decay * detail::checked_step(name, step) /
                                       static_cast<double>(options_.interval));
  }

  friend bool operator==(const InverseTimeDecay&, const InverseTimeDecay&) = default;

 private:
  static constexpr const char* name = "InverseTimeDecay";

  InverseTimeDecayOptions options_;
};

}  // namespace ddx::nn
