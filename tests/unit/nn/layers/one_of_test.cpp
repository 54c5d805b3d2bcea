#include "ddx/nn/layers/one_of.h"

#include "ddx/ad/differentiable.h"
#include "ddx/ad/operators.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/activation.h"
#include "ddx/nn/layers/batch_norm.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/identity.h"
#include "ddx/nn/layers/residual.h"
#include "ddx/nn/optimizers/adam.h"
#include "ddx/nn/path.h"
#include "ddx/nn/summary.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"
#include "tests/support/thrown.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::nn {
namespace one_of_test {

using Any = OneOf<Dense<double>, Residual<Dense<double>>, Identity>;

Dense<double> dense(std::uint64_t key) {
  return Dense<double>({.in = 3, .out = 3, .activation = Activation::Tanh, .key = RandomKey(key)});
}

/// Layers in an order that the program decides.
struct Stack {
  std::vector<Any> layers;

  [[nodiscard]] Tensor<double> operator()(const Tensor<double>& x) const {
    Tensor<double> y = x;
    for (const auto& layer : layers) {
      y = layer(y);
    }
    return y;
  }

  DDX_DIFFERENTIABLE(Stack, layers)
};

Stack stack_of_three() {
  return {.layers = {dense(1), Identity(), Residual(dense(2))}};
}

TEST(OneOf, CallsTheLayerItHolds) {
  const auto x = random_normal<double>(RandomKey(3), {4, 3});
  EXPECT_EQ(Any(dense(1))(x), dense(1)(x));
  EXPECT_EQ(Any(Identity())(x), x);
  EXPECT_EQ(stack_of_three()(x), Residual(dense(2))(dense(1)(x)));
}

TEST(OneOf, GradientAgreesWithDifferences) {
  const auto x = random_normal<double>(RandomKey(3), {4, 3});
  ddx::testing::expect_gradient(stack_of_three(), x);
  ddx::testing::expect_gradient(Stack{.layers = {Residual(dense(4)), Residual(dense(5))}}, x);
}

TEST(OneOf, ParametersAreThoseOfTheLayerHeld) {
  const auto model = stack_of_three();
  std::vector<std::string> names;
  visit_parameters([&](const Path& path, const auto&) { names.push_back(to_string(path)); }, model);
  EXPECT_EQ(names, (std::vector<std::string>{"layers.0.layer.0.weight", "layers.0.layer.0.bias",
                                             "layers.2.layer.1.layer.weight",
                                             "layers.2.layer.1.layer.bias"}));
}

TEST(OneOf, Trains) {
  const auto x = random_normal<double>(RandomKey(3), {16, 3});
  const auto wanted = random_normal<double>(RandomKey(4), {16, 3}) * 0.1;
  const auto loss = [&](const Stack& m) { return sum((m(x) - wanted) * (m(x) - wanted)); };
  auto model = stack_of_three();
  Adam optimizer(model, {.learning_rate = 0.01});
  const double before = loss(model).item();
  for (int step = 0; step < 60; ++step) {
    optimizer.update(model, gradient(loss, model));
  }
  EXPECT_LT(loss(model).item(), 0.5 * before);
}

TEST(OneOf, AnotherKindOfLayerInTheCounterpartIsAnError) {
  auto model = stack_of_three();
  auto other = stack_of_three();
  other.layers[2] = dense(1);
  EXPECT_EQ(ddx::testing::thrown<UsageError>(
                [&] { visit_parameters([](const Path&, auto&, auto&) {}, model, other); }),
            "visit: layers.2.layer holds alternative 1, its counterpart alternative 0");
}

TEST(OneOf, SummaryNamesTheLayerHeld) {
  const auto text = summary(Any(dense(1)), random_normal<double>(RandomKey(3), {4, 3}));
  EXPECT_NE(text.find("layer"), std::string::npos) << text;
  EXPECT_NE(text.find("12"), std::string::npos) << text;
}

}  // namespace one_of_test
}  // namespace ddx::nn
