/// \file
/// The share of right answers.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"
#include "ddx/train/metrics/detail/check.h"
#include "ddx/train/metrics/detail/running_mean.h"

#include <cstdint>
#include <source_location>
#include <vector>

namespace ddx::train {

/// The share of rows whose highest score is that of their label, in [0, 1]. Of equal scores, the
/// first counts.
class Accuracy {
 public:
  /// Shapes:  scores [..., classes], labels [...]
  /// Throws:  UsageError where the shapes do not fit, or there are no classes.
  template <TensorScalar Scalar, IndexScalar Index = std::int32_t>
  void accumulate(const Tensor<Scalar>& scores, const Tensor<Index>& labels,
                  std::source_location where = std::source_location::current()) {
    detail::check_labels("Accuracy", scores.shape(), labels.shape(), where);
    mean_.add(sum(cast<std::int64_t>(equal(cast<Index>(argmax(scores, -1, where)), labels))),
              labels.shape().count());
  }

  /// What is measured, and over how much; those of replicas add up.
  [[nodiscard]] std::vector<double> totals() const { return mean_.totals(); }
  /// Takes the place of what was accumulated.
  void set_totals(const std::vector<double>& totals) { mean_.set_totals(totals); }

  /// NaN over nothing.
  [[nodiscard]] double measure() const { return mean_.value(); }
  void reset() { *this = {}; }

 private:
  detail::RunningMean<std::int64_t> mean_;
};

}  // namespace ddx::train
