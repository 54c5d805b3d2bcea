/// \file
/// The schedule that does not change.

#pragma once

#include "ddx/nn/detail/options.h"
#include "ddx/nn/schedules/schedule.h"

#include <cstdint>

namespace ddx::nn {

/// The settings of ConstantRate.
struct ConstantRateOptions {
  double rate = 0.01;

  friend bool operator==(const ConstantRateOptions&, const ConstantRateOptions&) = default;
};

/// The same value in each step.
class ConstantRate {
 public:
  /// Throws:  UsageError where the rate is negative, infinite or NaN.
  explicit ConstantRate(const ConstantRateOptions& options) : options_(options) {
    detail::require_not_negative(name, "rate", options.rate);
  }

  /// The value of a step.
  ///
  /// Throws:  UsageError where the step is negative.
  [[nodiscard]] double operator()(std::int64_t step) const {
    detail::checked_step(name, step);
    return options_.rate;
  }

  friend bool operator==(const ConstantRate&, const ConstantRate&) = default;

 private:
  static constexpr const char* name = "ConstantRate";

  ConstantRateOptions options_;
};

}  // namespace ddx::nn
