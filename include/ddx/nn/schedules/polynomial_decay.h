/// \file
/// The schedule that goes from one value to another along a power.

#pragma once

#include "ddx/nn/detail/options.h"
#include "ddx/nn/schedules/schedule.h"

#include <cmath>
#include <cstdint>

namespace ddx::nn {

/// The settings of PolynomialDecay.
struct PolynomialDecayOptions {
  double initial = 0.01;
  double end = 0;  ///< The value of step `steps` and of all later ones.
  std::int64_t steps = 1;
  double power = 1;  ///< 1: along a line.

  friend bool operator==(const PolynomialDecayOptions&, const PolynomialDecayOptions&) = default;
};

/// In step t of n: end + (initial - end) (1 - t / n)^power.
class PolynomialDecay {
 public:
  /// Throws:  UsageError where `initial` or `end` is negative or not finite, `power` is not
  ///          positive, or the steps are below 1.
  explicit PolynomialDecay(const PolynomialDecayOptions& options) : options_(options) {
    detail::require_not_negative(name, "initial", options.initial);
    detail::require_not_negative(name, "end", options.end);
    detail::require_positive(name, "steps", options.steps);
    detail::require_above_zero(name, "power", options.power);
  }

  /// The value of a step.
  ///
  /// Throws:  UsageError where the step is negative.
  [[nodiscard]] double operator()(std::int64_t step) const {
    const double left = 1 - detail::elapsed_share(name, step, options_.steps);
    return options_.end + (options_.initial - options_.end) * std::pow(left, options_.power);
  }

  friend bool operator==(const PolynomialDecay&, const PolynomialDecay&) = default;

 private:
  static constexpr const char* name = "PolynomialDecay";

  PolynomialDecayOptions options_;
};

}  // namespace ddx::nn
