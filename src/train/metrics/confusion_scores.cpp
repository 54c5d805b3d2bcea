#include "ddx/train/metrics/confusion_scores.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace ddx::train {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// What the scores are made of; doubles, for the products.
struct Totals {
  std::vector<double> right;    ///< Per class: answered so and so.
  std::vector<double> labels;   ///< Per class: how often it is.
  std::vector<double> answers;  ///< Per class: how often it was answered.
  double all_right = 0;
  double all = 0;
};

Totals totals_of(const char* operation, const Tensor<std::int64_t>& counts) {
  const auto& shape = counts.shape();
  if (shape.rank() != 2 || shape[0] != shape[1]) {
    throw UsageError(operation,
                     "counts of shape " + to_string(shape) + ", a square matrix is required");
  }
  const auto classes = static_cast<std::size_t>(shape[0]);
  const auto all = counts.elements();
  Totals totals{.right = std::vector<double>(classes),
                .labels = std::vector<double>(classes),
                .answers = std::vector<double>(classes)};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] < 0) {
      throw UsageError(operation, "a count of " + std::to_string(all[i]));
    }
    const auto count = static_cast<double>(all[i]);
    totals.labels[i / classes] += count;
    totals.answers[i % classes] += count;
    totals.all += count;
    if (i / classes == i % classes) {
      totals.right[i / classes] = count;
      totals.all_right += count;
    }
  }
  return totals;
}

double share(double part, double whole) {
  return whole == 0 ? 0 : part / whole;
}

ClassScores scores_of(double right, double labels, double answers) {
  // 2 p r / (p + r) with p and r written out.
  return {.precision = share(right, answers),
          .recall = share(right, labels),
          .f1 = share(2 * right, labels + answers)};
}

std::vector<ClassScores> scores_of(const Totals& totals) {
  std::vector<ClassScores> scores;
  for (std::size_t k = 0; k < totals.right.size(); ++k) {
    scores.push_back(scores_of(totals.right[k], totals.labels[k], totals.answers[k]));
  }
  return scores;
}

}  // namespace

std::vector<ClassScores> class_scores(const Tensor<std::int64_t>& counts) {
  return scores_of(totals_of("class_scores", counts));
}

ClassScores averaged_scores(const Tensor<std::int64_t>& counts, Average average) {
  const auto totals = totals_of("averaged_scores", counts);
  if (totals.all == 0) {
    return {.precision = nan, .recall = nan, .f1 = nan};
  }
  if (average == Average::Micro) {
    return scores_of(totals.all_right, totals.all, totals.all);
  }
  ClassScores mean;
  const auto scores = scores_of(totals);
  for (std::size_t k = 0; k < scores.size(); ++k) {
    const double weight = average == Average::Macro ? 1.0 / static_cast<double>(scores.size())
                                                    : totals.labels[k] / totals.all;
    mean.precision += weight * scores[k].precision;
    mean.recall += weight * scores[k].recall;
    mean.f1 += weight * scores[k].f1;
  }
  return mean;
}

double matthews_correlation(const Tensor<std::int64_t>& counts) {
  const auto totals = totals_of("matthews_correlation", counts);
  if (totals.all == 0) {
    return nan;
  }
  double product = 0;
  double of_labels = 0;
  double of_answers = 0;
  for (std::size_t k = 0; k < totals.right.size(); ++k) {
    product += totals.labels[k] * totals.answers[k];
    of_labels += totals.labels[k] * totals.labels[k];
    of_answers += totals.answers[k] * totals.answers[k];
  }
  const double square = totals.all * totals.all;
  const double scale = std::sqrt(square - of_answers) * std::sqrt(square - of_labels);
  return share(totals.all_right * totals.all - product, scale);
}

}  // namespace ddx::train
