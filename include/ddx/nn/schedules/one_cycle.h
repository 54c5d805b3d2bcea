/// \file
/// The schedule that rises once and falls once.

#pragma once

#include "ddx/nn/detail/options.h"
#include "ddx/nn/schedules/schedule.h"

#include <algorithm>
#include <cstdint>

namespace ddx::nn {

/// The settings of OneCycle.
struct OneCycleOptions {
  double peak = 0.1;
  std::int64_t steps = 2;     ///< Of the whole cycle; later ones have the value of the last.
  double rising_share = 0.3;  ///< Which part of the steps rises.
  double start_divisor = 25;  ///< The peak divided by this is the value of the first step,
  double end_divisor = 1e4;   ///< and that divided by this is the value of the last.

  friend bool operator==(const OneCycleOptions&, const OneCycleOptions&) = default;
};

/// Along half periods of a cosine from peak / start_divisor up to the peak, which step
/// rising_share steps - 1 reaches, and down to peak / (start_divisor end_divisor) in the last step.
///
/// Source:  L. Smith, N. Topin, "Super-convergence: very fast training of neural networks using
///          large learning rates", 2019, in the form of PyTorch's OneCycleLR.
class OneCycle {
 public:
  /// Throws:  UsageError where `peak` is negative or not finite, a divisor is not positive, the
  ///          share is not in [0, 1), or the steps are below 2.
  explicit OneCycle(const OneCycleOptions& options) : options_(options) {
    detail::require_not_negative(name, "peak", options.peak);
    detail::require_at_least(name, "steps", options.steps, 2);
    detail::require_fraction(name, "rising_share", options.rising_share);
    detail::require_above_zero(name, "start_divisor", options.start_divisor);
    detail::require_above_zero(name, "end_divisor", options.end_divisor);
  }

  /// The value of a step.
  ///
  /// Throws:  UsageError where the step is negative.
  [[nodiscard]] double operator()(std::int64_t step) const {
    const double t = detail::checked_step(name, step);
    const double start = options_.peak / options_.start_divisor;
    const double last = static_cast<double>(options_.steps) - 1;
    const double top =
        std::max(0.0, options_.rising_share * static_cast<double>(options_.steps) - 1);
    if (t < top) {
      return detail::cosine_between(start, options_.peak, t / top);
    }
    return detail::cosine_between(options_.peak, start / options_.end_divisor,
                                  std::min(1.0, (t - top) / (last - top)));
  }

  friend bool operator==(const OneCycle&, const OneCycle&) = default;

 private:
  static constexpr const char* name = "OneCycle";

  OneCycleOptions options_;
};

}  // namespace ddx::nn
