/// \file
/// The classifications that tests/goldens/make_metrics.py judges.

#pragma once

#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ddx::testing {

/// Scores and labels, and what scikit-learn says of them.
struct RecordedMetrics {
  std::vector<float> scores;
  std::vector<std::int32_t> labels;
  double top_2_accuracy;
  struct {
    double accuracy;
    double matthews;
  } whole;
  std::vector<double> averages;  ///< Precision, recall, F1: macro, weighted, micro.
  std::vector<std::int64_t> confusion;
};

/// The number of classes in the recordings.
inline constexpr std::int64_t recorded_classes = 5;

/// All recordings.
inline const std::vector<RecordedMetrics>& recorded_metrics() {
  static const std::vector<RecordedMetrics> all = {
#include "tests/goldens/metrics.inc"
  };
  return all;
}

/// Gives the rows of a recording to a metric, in batches of unequal size.
template <class Metric>
void accumulate_recorded(Metric& metric, const RecordedMetrics& recorded) {
  const auto rows = static_cast<std::int64_t>(recorded.labels.size());
  const Tensor<float> scores({rows, recorded_classes}, std::span<const float>(recorded.scores));
  const Tensor<std::int32_t> labels({rows}, std::span<const std::int32_t>(recorded.labels));
  for (const auto& [begin, end] :
       {std::pair<std::int64_t, std::int64_t>{0, 7}, {7, 8}, {8, rows}}) {
    metric.accumulate(slice(scores, {.start = {begin, 0}, .stop = {end, recorded_classes}}),
                      slice(labels, {.start = {begin}, .stop = {end}}));
  }
}

}  // namespace ddx::testing
