/// \file
/// The schedule that changes at given steps.

#pragma once

#include "ddx/core/error.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/schedules/schedule.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ddx::nn {

/// The settings of PiecewiseConstant.
struct PiecewiseConstantOptions {
  std::vector<std::int64_t> boundaries;  ///< The steps at which the value changes, ascending.
  std::vector<double> values;            ///< One more: values[i] holds before boundaries[i].

  friend bool operator==(const PiecewiseConstantOptions&,
                         const PiecewiseConstantOptions&) = default;
};

/// A value for each stretch of steps: the step boundaries[i] is the first with values[i + 1].
class PiecewiseConstant {
 public:
  /// Throws:  UsageError where there is not one value more than boundaries, the boundaries do not
  ///          ascend, or a value is negative or not finite.
  explicit PiecewiseConstant(PiecewiseConstantOptions options) : options_(std::move(options)) {
    const auto& [boundaries, values] = options_;
    if (values.size() != boundaries.size() + 1) {
      throw UsageError(name, std::to_string(values.size()) + " values and " +
                                 std::to_string(boundaries.size()) +
                                 " boundaries, expected one value more than boundaries");
    }
    for (std::size_t i = 1; i < boundaries.size(); ++i) {
      if (boundaries[i] <= boundaries[i - 1]) {
        throw UsageError(name, "boundaries " + std::to_string(boundaries[i - 1]) + " and " +
                                   std::to_string(boundaries[i]) + " do not ascend");
      }
    }
    for (const double value : values) {
      detail::require_not_negative(name, "value", value);
    }
  }

  /// The value of a step.
  ///
  /// Throws:  UsageError where the step is negative.
  [[nodiscard]] double operator()(std::int64_t step) const {
    detail::checked_step(name, step);
    const auto& boundaries = options_.boundaries;
    const auto past = std::upper_bound(boundaries.begin(), boundaries.end(), step);
    return options_.values[static_cast<std::size_t>(past - boundaries.begin())];
  }

  friend bool operator==(const PiecewiseConstant&, const PiecewiseConstant&) = default;

 private:
  static constexpr const char* name = "PiecewiseConstant";

  PiecewiseConstantOptions options_;
};

}  // namespace ddx::nn
