#include "ddx/train/metrics/metric.h"

#include "ddx/tensor/tensor.h"
#include "ddx/train/metrics/accuracy.h"
#include "ddx/train/metrics/confusion_matrix.h"
#include "ddx/train/metrics/mean_absolute_error.h"
#include "ddx/train/metrics/mean_loss.h"
#include "ddx/train/metrics/perplexity.h"
#include "ddx/train/metrics/top_k_accuracy.h"

#include <cstdint>
#include <gtest/gtest.h>

namespace ddx::train {
namespace metric_test {

using Scores = Tensor<float>;
using Labels = Tensor<std::int32_t>;

/// Just enough, and too little.
struct Least {
  void reset() {}
  [[nodiscard]] double measure() const { return 0; }
};
struct NoReset {
  [[nodiscard]] double measure() const { return 0; }
};
static_assert(Metric<Least> && !Metric<NoReset> && !LossMetric<Least>);

static_assert(LossMetric<MeanLoss> && LossMetric<Perplexity>);
static_assert(AnswerMetric<Accuracy, Scores, Labels> && AnswerMetric<TopKAccuracy, Scores, Labels>);
static_assert(AnswerMetric<ConfusionScore, Scores, Labels>);
static_assert(AnswerMetric<MeanAbsoluteError, Scores, Scores>);
static_assert(!AnswerMetric<MeanAbsoluteError, Scores, Labels>);

TEST(Metric, ACopyGoesItsOwnWay) {
  MeanLoss first;
  first.accumulate(1.0, 2);
  MeanLoss second = first;
  second.accumulate(4.0, 2);
  EXPECT_EQ(first.measure(), 1.0);
  EXPECT_EQ(second.measure(), 2.5);
}

}  // namespace metric_test
}  // namespace ddx::train
