/// \file
/// The mean distance of numbers from what they should be.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"
#include "ddx/train/metrics/detail/check.h"
#include "ddx/train/metrics/detail/running_mean.h"

#include <source_location>
#include <vector>

namespace ddx::train {

/// The mean of |output - target| over all elements.
class MeanAbsoluteError {
 public:
  /// Shapes:  output [...], target [...], equal
  /// Throws:  UsageError where the shapes differ.
  template <FloatingScalar Scalar>
  void accumulate(const Tensor<Scalar>& output, const Tensor<Scalar>& target,
                  std::source_location where = std::source_location::current()) {
    detail::check_same_shape("MeanAbsoluteError", output.shape(), target.shape(), where);
    mean_.add(sum(cast<double>(abs(output - target))), output.shape().count());
  }

  /// What is measured, and over how much; those of replicas add up.
  [[nodiscard]] std::vector<double> totals() const { return mean_.totals(); }
  /// Takes the place of what was accumulated.
  void set_totals(const std::vector<double>& totals) { mean_.set_totals(totals); }

  /// NaN over nothing.
  [[nodiscard]] double measure() const { return mean_.value(); }
  void reset() { *this = {}; }

 private:
  detail::RunningMean<double> mean_;
};

}  // namespace ddx::train
