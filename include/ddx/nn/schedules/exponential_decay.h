/// \file
/// The schedule that falls by the same factor over equal times.

#pragma once

#include "ddx/nn/detail/options.h"
#include "ddx/nn/schedules/schedule.h"

#include <cmath>
#include <cstdint>

namespace ddx::nn {

/// The settings of ExponentialDecay.
struct ExponentialDecayOptions {
  double initial = 0.01;
  double factor = 0.96;  ///< What `interval` steps multiply the value by.
  std::int64_t interval = 1;

  friend bool operator==(const ExponentialDecayOptions&, const ExponentialDecayOptions&) = default;
};

/// In step t: initial factor^(t / interval).
class ExponentialDecay {
 public:
  /// Throws:  UsageError where `initial` or `factor` is negative or not finite, or the interval is
  ///          below 1.
  explicit ExponentialDecay(const ExponentialDecayOptions& options) : options_(options) {
    detail::require_not_negative(name, "initial", options.initial);
    detail::require_not_negative(name, "factor", options.factor);
    detail::require_positive(name, "interval", options.interval);
  }

  /// The value of a step.
  ///
  /// Throws:  UsageError where the step is negative.
  [[nodiscard]] double operator()(std::int64_t step) const {
    return options_.initial * std::pow(options_.factor, detail::checked_step(name, step) /
                                                            static_cast<double>(options_.interval));
  }

  friend bool operator==(const ExponentialDecay&, const ExponentialDecay&) = default;

 private:
  static constexpr const char* name = "ExponentialDecay";

  ExponentialDecayOptions options_;
};

}  // namespace ddx::nn
