/// \file
/// How often each class was taken for each other.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/tensor/detail/index_tensor.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"
#include "ddx/train/metrics/detail/check.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <source_location>
#include <vector>

namespace ddx::train {

/// Counts pairs of a label and the class answered.
class ConfusionMatrix {
 public:
  /// Throws: UsageError where there is not at least one class.
  explicit ConfusionMatrix(std::int64_t classes,
                           std::source_location where = std::source_location::current());

  /// Takes the highest score of each row as its answer; of equal ones, the first.
  ///
  /// Shapes:  scores [..., classes], labels [...]
  /// Throws:  UsageError where the shapes do not fit, or there are 2^24 rows or more.
  template <TensorScalar Scalar, IndexScalar Index = std::int32_t>
  void accumulate(const Tensor<Scalar>& scores, const Tensor<Index>& labels,
                  std::source_location where = std::source_location::current()) {
    detail::check_labels("ConfusionMatrix", scores.shape(), labels.shape(), where);
    accumulate_classes(argmax(scores, -1, where),
                       ddx::detail::as_int32("ConfusionMatrix", labels, where), where);
  }

  /// Takes answers that are classes already.
  ///
  /// Shapes:  answers [...], labels [...], equal
  /// Throws:  UsageError where the shapes differ, or there are 2^24 labels or more.
  /// Cost:    a product of [classes, labels] and [labels, classes].
  void accumulate_classes(const Tensor<std::int32_t>& answers, const Tensor<std::int32_t>& labels,
                          std::source_location where = std::source_location::current());

  /// The counts; rows are labels, columns answers.
  ///
  /// Shapes:  -> [classes, classes]
  /// Throws:  UsageError where a label or an answer was no class; says how many of all.
  [[nodiscard]] Tensor<std::int64_t> counts() const;

  /// The counts and the number of rows, one after another; those of replicas add up.
  [[nodiscard]] std::vector<double> totals() const;
  /// Takes the place of what was counted.
  void set_totals(const std::vector<double>& totals);

  /// Forgets all counts.
  void reset();

 private:
  std::int64_t classes_;
  std::optional<Tensor<std::int64_t>> counts_;
  std::int64_t rows_ = 0;
};

/// A number that is a function of the confusion matrix, as a metric.
///
/// Example: ConfusionScore matthews(10, matthews_correlation);
class ConfusionScore {
 public:
  using Function = std::function<double(const Tensor<std::int64_t>&)>;

  /// Throws: UsageError where there is not at least one class.
  ConfusionScore(std::int64_t classes, Function score,
                 std::source_location where = std::source_location::current());

  /// Shapes:  scores [..., classes], labels [...]
  /// Throws:  UsageError as ConfusionMatrix.
  template <TensorScalar Scalar, IndexScalar Index = std::int32_t>
  void accumulate(const Tensor<Scalar>& scores, const Tensor<Index>& labels,
                  std::source_location where = std::source_location::current()) {
    matrix_.accumulate(scores, labels, where);
  }

  /// What is counted; that of replicas adds up.
  [[nodiscard]] std::vector<double> totals() const { return matrix_.totals(); }
  /// Takes the place of what was counted.
  void set_totals(const std::vector<double>& totals) { matrix_.set_totals(totals); }

  /// Throws:  UsageError where a label was no class.
  [[nodiscard]] double measure() const { return score_(matrix_.counts()); }
  void reset() { matrix_.reset(); }

 private:
  ConfusionMatrix matrix_;
  Function score_;
};

}  // namespace ddx::train
