/// \file
/// The share of answers that are among the best few.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/indexing.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"
#include "ddx/train/metrics/detail/check.h"
#include "ddx/train/metrics/detail/running_mean.h"

#include <cstdint>
#include <source_location>
#include <vector>

namespace ddx::train {

/// The share of rows where fewer than k classes score above the label, in [0, 1]. Equal scores do
/// not count as above, a NaN is above all. A label that is no class is never right.
class TopKAccuracy {
 public:
  /// Throws: UsageError where k is below 1.
  explicit TopKAccuracy(std::int64_t k = 5,
                        std::source_location where = std::source_location::current());

  /// Shapes:  scores [..., classes], labels [...]
  /// Throws:  UsageError where the shapes do not fit.
  template <TensorScalar Scalar, IndexScalar Index = std::int32_t>
  void accumulate(const Tensor<Scalar>& scores, const Tensor<Index>& labels,
                  std::source_location where = std::source_location::current()) {
    detail::check_labels("TopKAccuracy", scores.shape(), labels.shape(), where);
    const auto is_label = one_hot<bool>(labels, scores.shape()[scores.rank() - 1]);
    const Tensor<Scalar> zero(Scalar{}, scores.device());
    const auto of_label =
        sum(select(is_label, scores, zero), {.axes = {-1}, .keep_dims = true}, where);
    // Written so that a NaN on either side counts as above.
    const auto above =
        sum(cast<std::int32_t>(logical_not(less_equal(scores, of_label))), {.axes = {-1}});
    const auto is_class = greater(sum(cast<std::int32_t>(is_label), {.axes = {-1}}), 0);
    const auto right = logical_and(is_class, less(above, static_cast<std::int32_t>(k_)));
    mean_.add(sum(cast<std::int64_t>(right)), labels.shape().count());
  }

  /// What is measured, and over how much; those of replicas add up.
  [[nodiscard]] std::vector<double> totals() const { return mean_.totals(); }
  /// Takes the place of what was accumulated.
  void set_totals(const std::vector<double>& totals) { mean_.set_totals(totals); }

  /// NaN over nothing.
  [[nodiscard]] double measure() const { return mean_.value(); }
  void reset() { mean_ = {}; }

 private:
  std::int64_t k_;
  detail::RunningMean<std::int64_t> mean_;
};

}  // namespace ddx::train
