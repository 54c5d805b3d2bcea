#include "ddx/models/lenet.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"

#include <cstddef>
#include <gtest/gtest.h>

namespace ddx::models {
namespace lenet_test {

TEST(LeNet, HasTheParametersOfThePaper) {
  std::size_t count = 0;
  LeNet<float> model;
  nn::visit_parameters([&](const nn::Path&, const auto& weight) { count += weight.count(); },
                       model);
  // 5*5*6 + 6, 5*5*6*16 + 16, 400*120 + 120, 120*84 + 84, 84*10 + 10
  EXPECT_EQ(count, 156U + 2416 + 48120 + 10164 + 850);
}

TEST(LeNet, GivesOneScorePerClass) {
  const LeNet<float> model;
  EXPECT_EQ(model(random_normal<float>(RandomKey(1), {3, 28, 28, 1})).shape(), (Shape{3, 10}));
  EXPECT_THROW((void)model(random_normal<float>(RandomKey(1), {3, 32, 32, 1})), UsageError);
}

TEST(LeNet, GradientAgreesWithDifferences) {
  LeNet<double> model;
  nn::initialize(model, RandomKey(4));
  // Smooth, so that no difference straddles the corner of a rectifier: there are thousands.
  model.conv1.activation = model.conv2.activation = nn::Activation::Tanh;
  model.dense1.activation = model.dense2.activation = nn::Activation::Tanh;
  ddx::testing::expect_gradient(model, random_normal<double>(RandomKey(1), {2, 28, 28, 1}));
}

}  // namespace lenet_test
}  // namespace ddx::models
