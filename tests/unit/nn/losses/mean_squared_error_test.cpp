#include "ddx/nn/losses/mean_squared_error.h"

#include "ddx/ad/operators.h"
#include "ddx/tensor/tensor.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace {

TEST(MeanSquaredError, HasItsValueAndGradient) {
  const Tensor<double> expected{{1.0, 2.0}, {3.0, 4.0}};
  const Tensor<double> predicted{{1.0, 4.0}, {2.0, 4.0}};
  // (0 + 4 + 1 + 0) / 4; the gradient is 2 (predicted - expected) / 4.
  const auto [value, slope] = value_with_gradient(
      [&](const Tensor<double>& p) { return mean_squared_error(p, expected); }, predicted);
  EXPECT_DOUBLE_EQ(value.item(), 1.25);
  EXPECT_EQ(slope, (Tensor<double>{{0.0, 1.0}, {-0.5, 0.0}}));
}

}  // namespace
}  // namespace ddx::nn
