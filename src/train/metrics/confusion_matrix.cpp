#include "ddx/train/metrics/confusion_matrix.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/indexing.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"
#include "ddx/train/metrics/detail/check.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

namespace ddx::train {
namespace {

/// Counts below it are exact in f32.
constexpr std::int64_t too_many_rows = std::int64_t{1} << 24;

}  // namespace

ConfusionMatrix::ConfusionMatrix(std::int64_t classes, std::source_location where)
    : classes_(classes) {
  if (classes < 1) {
    throw UsageError("ConfusionMatrix",
                     std::to_string(classes) + " classes, at least 1 is required", where);
  }
}

void ConfusionMatrix::accumulate_classes(const Tensor<std::int32_t>& answers,
                                         const Tensor<std::int32_t>& labels,
                                         std::source_location where) {
  detail::check_same_shape("ConfusionMatrix", answers.shape(), labels.shape(), where);
  const auto rows = labels.shape().count();
  if (rows >= too_many_rows) {
    throw UsageError("ConfusionMatrix",
                     std::to_string(rows) + " labels at once, at most " +
                         std::to_string(too_many_rows - 1) + " are possible",
                     where);
  }
  const auto of_labels = one_hot<float>(reshape(labels, {rows}), classes_);
  const auto of_answers = one_hot<float>(reshape(answers, {rows}), classes_);
  auto pairs = cast<std::int64_t>(matmul(of_labels, of_answers, {.transpose_left = true}));
  counts_ = counts_ ? *counts_ + pairs : std::move(pairs);
  rows_ += rows;
}

Tensor<std::int64_t> ConfusionMatrix::counts() const {
  if (!counts_) {
    return zeros<std::int64_t>(Shape{classes_, classes_});
  }
  // A row of zeros represents a value that is not a class.
  const auto counted = sum(*counts_).item();
  if (counted != rows_) {
    throw UsageError("ConfusionMatrix", "of " + std::to_string(rows_) +
                                            " pairs of label and answer, " +
                                            std::to_string(rows_ - counted) + " are not in [0, " +
                                            std::to_string(classes_) + ")");
  }
  return *counts_;
}

std::vector<double> ConfusionMatrix::totals() const {
  std::vector<double> totals(static_cast<std::size_t>(classes_ * classes_));
  if (counts_) {
    std::ranges::transform(counts_->elements(), totals.begin(),
                           [](std::int64_t count) { return static_cast<double>(count); });
  }
  totals.push_back(static_cast<double>(rows_));
  return totals;
}

void ConfusionMatrix::set_totals(const std::vector<double>& totals) {
  std::vector<std::int64_t> counts;
  for (const double total : totals) {
    counts.push_back(static_cast<std::int64_t>(total));
  }
  rows_ = counts.back();
  counts.pop_back();
  counts_ = Tensor<std::int64_t>(Shape{classes_, classes_}, counts);
}

void ConfusionMatrix::reset() {
  counts_.reset();
  rows_ = 0;
}

ConfusionScore::ConfusionScore(std::int64_t classes, Function score, std::source_location where)
    : matrix_(classes, where), score_(std::move(score)) {}

}  // namespace ddx::train
