#include "ddx/nn/losses/reduction.h"

#include "ddx/ad/operators.h"
#include "ddx/tensor/tensor.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace reduction_test {

TEST(Reduction, MakesOneLossOrNone) {
  const Tensor<double> losses{1.0, 2.0, 6.0};
  EXPECT_EQ(reduce_losses(losses, Reduction::Mean).item(), 3);
  EXPECT_EQ(reduce_losses(losses, Reduction::Sum).item(), 9);
  EXPECT_EQ(reduce_losses(losses, Reduction::None), losses);
}

TEST(Reduction, GradientGoesToEachLoss) {
  const auto slope = [](Reduction reduction) {
    return gradient([&](const Tensor<double>& x) { return reduce_losses(x, reduction); },
                    Tensor<double>{1.0, 2.0});
  };
  EXPECT_EQ(slope(Reduction::Mean), (Tensor<double>{0.5, 0.5}));
  EXPECT_EQ(slope(Reduction::Sum), (Tensor<double>{1.0, 1.0}));
}

}  // namespace reduction_test
}  // namespace ddx::nn
