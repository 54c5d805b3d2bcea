#include "ddx/train/metrics/mean_absolute_error.h"

#include "ddx/core/error.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ddx::train {
namespace mean_absolute_error_test {

using ddx::testing::thrown;

TEST(MeanAbsoluteError, IsOverAllElements) {
  MeanAbsoluteError metric;
  metric.accumulate(Tensor<float>{{1, -2}, {0, 4}}, Tensor<float>{{3, -2}, {-1, 0}});
  EXPECT_EQ(metric.measure(), 1.75);  // (2 + 0 + 1 + 4) / 4
  metric.accumulate(Tensor<float>{10}, Tensor<float>{0});
  EXPECT_EQ(metric.measure(), 3.4);
  metric.reset();
  EXPECT_TRUE(std::isnan(metric.measure()));
}

TEST(MeanAbsoluteError, ShapesAreNotStretched) {
  MeanAbsoluteError metric;
  EXPECT_EQ(thrown<UsageError>(
                [&] { metric.accumulate(Tensor<float>({2, 1}, {1, 2}), Tensor<float>{1, 2}); }),
            "MeanAbsoluteError: outputs of shape [2, 1] for targets of shape [2] (here)");
}

}  // namespace mean_absolute_error_test
}  // namespace ddx::train
