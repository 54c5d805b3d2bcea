#include "ddx/nn/layers/function.h"

#include "ddx/core/random_key.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/identity.h"
#include "ddx/nn/layers/sequential.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/softmax.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace function_test {

TEST(Function, IsALayerAmongLayers) {
  const auto x = random_normal<double>(RandomKey(1), {4, 3});
  const Dense<double> dense{{.in = 3, .out = 2}};
  const double factor = 3;
  const Sequential model{
      dense, Function([factor](const Tensor<double>& y) { return softmax(y * factor); }),
      Identity()};
  EXPECT_EQ(model(x), softmax(dense(x) * factor));
  ddx::testing::expect_gradient(model, x);
}

}  // namespace function_test
}  // namespace ddx::nn
