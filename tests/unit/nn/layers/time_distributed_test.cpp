#include "ddx/nn/layers/time_distributed.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/layers/convolution.h"
#include "ddx/nn/layers/flatten.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/stacking.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"
#include "tests/support/thrown.h"

#include <gtest/gtest.h>
#include <vector>

namespace ddx::nn {
namespace time_distributed_test {

const Conv2D<double> convolution{{.in = 1, .out = 2, .kernel = {2, 2}}};

TEST(TimeDistributed, AppliesTheLayerToEachStep) {
  const auto x = random_normal<double>(RandomKey(1), {2, 3, 4, 4, 1});
  std::vector<Tensor<double>> steps;
  for (const auto& step : unstack(x, 1)) {
    steps.push_back(convolution(step));
  }
  const auto y = TimeDistributed(convolution)(x);
  EXPECT_EQ(y.shape(), (Shape{2, 3, 3, 3, 2}));
  EXPECT_LT(max(abs(y - stack(steps, 1))).item(), 1e-14);
  EXPECT_EQ(TimeDistributed(Flatten<double>())(x).shape(), (Shape{2, 3, 16}));
}

TEST(TimeDistributed, GradientAgreesWithDifferences) {
  ddx::testing::expect_gradient(TimeDistributed(convolution),
                                random_normal<double>(RandomKey(1), {2, 3, 4, 4, 1}));
}

TEST(TimeDistributed, MistakesAreAnError) {
  EXPECT_EQ(ddx::testing::thrown<UsageError>(
                [] { (void)TimeDistributed(Flatten<double>())(zeros<double>({3})); }),
            "TimeDistributed: shape [3] is not [n, time, ...] (here)");
}

}  // namespace time_distributed_test
}  // namespace ddx::nn
