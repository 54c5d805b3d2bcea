/// \file
/// The schedule that falls along a cosine again and again.

#pragma once

#include "ddx/nn/detail/options.h"
#include "ddx/nn/schedules/schedule.h"

#include <cmath>
#include <cstdint>

namespace ddx::nn {

/// The settings of CosineDecayRestarts.
struct CosineDecayRestartsOptions {
  double initial = 0.01;
  double end = 0;                  ///< Approached at the end of each period.
  std::int64_t period = 1;         ///< Steps of the first period.
  std::int64_t period_factor = 1;  ///< How many times longer each further period is.
  double height_factor = 1;        ///< What `initial` is multiplied by at each restart.

  friend bool operator==(const CosineDecayRestartsOptions&,
                         const CosineDecayRestartsOptions&) = default;
};

/// In step t of a period of n: end + (h - end) (1 + cos(pi t / n)) / 2, where h is `initial` in the
/// first period.
///
/// Source:  I. Loshchilov, F. Hutter, "SGDR: stochastic gradient descent with warm restarts", ICLR
///          2017.
class CosineDecayRestarts {
 public:
  /// Throws:  UsageError where `initial`, `end` or `height_factor` is negative or not finite, or
  ///          the period or its factor is below 1.
  explicit CosineDecayRestarts(const CosineDecayRestartsOptions& options) : options_(options) {
    detail::require_not_negative(name, "initial", options.initial);
    detail::require_not_negative(name, "end", options.end);
    detail::require_positive(name, "period", options.period);
    detail::require_positive(name, "period_factor", options.period_factor);
    detail::require_not_negative(name, "height_factor", options.height_factor);
  }

  /// The value of a step.
  ///
  /// Throws:  UsageError where the step is negative.
  [[nodiscard]] double operator()(std::int64_t step) const {
    double left = detail::checked_step(name, step);
    auto period = static_cast<double>(options_.period);
    double height = options_.initial;
    if (options_.period_factor == 1) {
      const double restarts = std::floor(left / period);
      left -= restarts * period;
      height *= std::pow(options_.height_factor, restarts);
    }
    while (left >= period) {
      left -= period;
      period *= static_cast<double>(options_.period_factor);
      height *= options_.height_factor;
    }
    return detail::cosine_between(height, options_.end, left / period);
  }

  friend bool operator==(const CosineDecayRestarts&, const CosineDecayRestarts&) = default;

 private:
  static constexpr const char* name = "CosineDecayRestarts";

  CosineDecayRestartsOptions options_;
};

}  // namespace ddx::nn
