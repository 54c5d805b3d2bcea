#include "ddx/tensor/detail/normal_quantile.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <utility>
#include <vector>

namespace ddx::detail {
namespace normal_quantile_test {

TEST(NormalQuantile, AgreesWithMultiplePrecision) {
  const std::vector<std::pair<double, double>> recorded = {
#include "tests/goldens/normal_quantiles.inc"
  };
  for (const auto& [probability, quantile] : recorded) {
    EXPECT_NEAR(normal_quantile(probability) / quantile, 1, 2e-15) << probability;
  }
}

TEST(NormalQuantile, HasItsEndsAndItsMiddle) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(normal_quantile(0.5), 0);
  EXPECT_EQ(normal_quantile(0), -inf);
  EXPECT_EQ(normal_quantile(1), inf);
  EXPECT_TRUE(std::isnan(normal_quantile(-0.1)));
  EXPECT_TRUE(std::isnan(normal_quantile(1.1)));
  EXPECT_TRUE(std::isnan(normal_quantile(std::numeric_limits<double>::quiet_NaN())));
}

}  // namespace normal_quantile_test
}  // namespace ddx::detail
