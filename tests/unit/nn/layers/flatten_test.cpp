#include "ddx/nn/layers/flatten.h"

#include "ddx/core/random_key.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace flatten_test {

TEST(Flatten, KeepsTheFirstAxisAndTheOrderOfElements) {
  const auto x = random_normal<double>(RandomKey(1), {2, 3, 4, 5});
  const auto y = Flatten<double>()(x);
  EXPECT_EQ(y.shape(), (Shape{2, 60}));
  EXPECT_EQ(y.values(), x.values());
  EXPECT_EQ(Flatten<double>()(Tensor<double>{1.0, 2.0}).shape(), (Shape{2, 1}));
}

TEST(Flatten, GradientAgreesWithDifferences) {
  ddx::testing::expect_gradient(Flatten<double>(), random_normal<double>(RandomKey(1), {2, 3, 2}));
}

}  // namespace flatten_test
}  // namespace ddx::nn
