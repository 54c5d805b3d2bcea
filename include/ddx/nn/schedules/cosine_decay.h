/// \file
/// The schedule that goes from one value to another along a cosine.

#pragma once

#include "ddx/nn/detail/options.h"
#include "ddx/nn/schedules/schedule.h"

#include <cstdint>

namespace ddx::nn {

/// The settings of CosineDecay.
struct CosineDecayOptions {
  double initial = 0.01;
  double end = 0;  ///< The value of step `steps` and of all later ones.
  std::int64_t steps = 1;

  friend bool operator==(const CosineDecayOptions&, const CosineDecayOptions&) = default;
};

/// In step t of n: end + (initial - end) (1 + cos(pi t / n)) / 2.
///
/// Source:  I. Loshchilov, F. Hutter, "SGDR: stochastic gradient descent with warm restarts", ICLR
///          2017.
class CosineDecay {
 public:
  /// Throws:  UsageError where `initial` or `end` is negative or not finite, or the steps are below
  ///          1.
  explicit CosineDecay(const CosineDecayOptions& options) : options_(options) {
    detail::require_not_negative(name, "initial", options.initial);
    detail::require_not_negative(name, "end", options.end);
    detail::require_positive(name, "steps", options.steps);
  }

  /// The value of a step.
  ///
  /// Throws:  UsageError where the step is negative.
  [[nodiscard]] double operator()(std::int64_t step) const {
    return detail::cosine_between(options_.initial, options_.end,
                                  detail::elapsed_share(name, step, options_.steps));
  }

  friend bool operator==(const CosineDecay&, const CosineDecay&) = default;

 private:
  static constexpr const char* name = "CosineDecay";

  CosineDecayOptions options_;
};

}  // namespace ddx::nn
