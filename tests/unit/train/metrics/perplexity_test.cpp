#include "ddx/train/metrics/perplexity.h"

#include "ddx/tensor/tensor.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ddx::train {
namespace perplexity_test {

TEST(Perplexity, IsTheNumberOfEquallyLikelyTokens) {
  Perplexity metric;
  metric.accumulate(std::log(8.0), 5);
  EXPECT_NEAR(metric.measure(), 8, 1e-14);
  // The geometric mean, by tokens: (8^5 * 2^15)^(1/20) = 2^(30/20).
  metric.accumulate(Tensor<double>(std::log(2.0)), 15);
  EXPECT_NEAR(metric.measure(), std::pow(2.0, 1.5), 1e-14);
}

TEST(Perplexity, NothingHasNone) {
  Perplexity metric;
  metric.accumulate(1.0, 1);
  metric.reset();
  EXPECT_TRUE(std::isnan(metric.measure()));
}

}  // namespace perplexity_test
}  // namespace ddx::train
