#include "ddx/nn/layers/frozen.h"

#include "ddx/ad/differential.h"
#include "ddx/ad/operators.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/layers/batch_norm.h"
#include "ddx/nn/layers/branches.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/residual.h"
#include "ddx/nn/layers/sequential.h"
#include "ddx/nn/merge.h"
#include "ddx/nn/optimizers/adamw.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <type_traits>
#include <vector>

namespace ddx::nn {
namespace frozen_test {

using Names = std::vector<std::string>;

const Sequential model{Dense<double>{{.in = 3, .out = 2}},
                       Frozen{Dense<double>{{.in = 2, .out = 2, .key = RandomKey(5)}}}};

TEST(Frozen, HasNoParametersButState) {
  Names parameters;
  Names state;
  visit_parameters([&](const Path& path, const auto&) { parameters.push_back(to_string(path)); },
                   model);
  visit_state([&](const Path& path, const auto&) { state.push_back(to_string(path)); }, model);
  EXPECT_EQ(parameters, (Names{"first.weight", "first.bias"}));
  EXPECT_EQ(state, (Names{"first.weight", "first.bias", "rest.first.layer.weight",
                          "rest.first.layer.bias"}));
}

TEST(Frozen, TheGradientFlowsThrough) {
  const auto x = random_normal<double>(RandomKey(1), {4, 3});
  const Sequential open{model.first, model.rest.first.layer};
  EXPECT_EQ(model(x), open(x));
  ddx::testing::expect_gradient(model, x);
}

TEST(Frozen, IsNeitherMovedNorDecayed) {
  auto trained = model;
  AdamW optimizer(trained, {.learning_rate = 0.1, .weight_decay = 0.5});
  const auto x = random_normal<double>(RandomKey(1), {4, 3});
  optimizer.update(trained, gradient([&](const auto& m) { return sum(m(x)); }, trained));
  EXPECT_FALSE(trained.first.weight == model.first.weight);
  EXPECT_EQ(trained.rest.first.layer.weight, model.rest.first.layer.weight);
}

TEST(Frozen, RestsInTrainingSteps) {
  Frozen layer{BatchNorm<double>{{.features = 2}}};
  const auto x = random_normal<double>(RandomKey(1), {4, 2});
  const auto before = layer(x);
  begin_step(layer, RandomKey(2));
  EXPECT_EQ(layer(x), before);
  end_step(layer);
  initialize(layer, RandomKey(3));
  EXPECT_EQ(layer(x), before);
}

TEST(Frozen, MovesWithTheModel) {
  auto moved = model;
  move_to(moved, Device::naive());
  EXPECT_EQ(moved.rest.first.layer.weight.device(), Device::naive());
}

// In what follows the model alone is differentiated: what goes into its first layer is constant.
// The layers that are trained have the gradients that they have in the same network without Frozen.
const auto input = random_normal<double>(RandomKey(8), {4, 3});

Dense<double> layer(std::uint64_t key) {
  return Dense<double>{{.in = 3, .out = 3, .activation = Activation::Tanh, .key = RandomKey(key)}};
}

template <class Model>
Tensor<double> loss(const Model& m) {
  const auto y = m(input);
  return sum(y * y * random_normal<double>(RandomKey(9), y.shape()));
}

template <class Model>
auto slopes_of(const Model& m) {
  const auto [value, slopes] = value_with_gradient(loss<Model>, m);
  EXPECT_EQ(value, loss(m));
  return slopes;
}

template <class Slopes>
void expect_equal(const Slopes& actual, const Slopes& expected) {
  EXPECT_EQ(actual.weight, expected.weight);
  EXPECT_EQ(actual.bias, expected.bias);
  EXPECT_GT(sum(abs(Tensor<double>(actual.weight))).item(), 0);
}

TEST(Frozen, MayStandAnywhereInASequence) {
  const auto a = layer(1);
  const auto b = layer(2);
  const auto c = layer(3);
  const auto open = slopes_of(Sequential{a, b, c});
  expect_equal(slopes_of(Sequential{Frozen{a}, b}).rest.first,
               slopes_of(Sequential{a, b}).rest.first);
  const auto first = slopes_of(Sequential{Frozen{a}, b, c});
  expect_equal(first.rest.first, open.rest.first);
  expect_equal(first.rest.rest.first, open.rest.rest.first);
  const auto between = slopes_of(Sequential{a, Frozen{b}, c});
  expect_equal(between.first, open.first);
  expect_equal(between.rest.rest.first, open.rest.rest.first);
  const auto last = slopes_of(Sequential{a, b, Frozen{c}});
  expect_equal(last.first, open.first);
  expect_equal(last.rest.first, open.rest.first);
  expect_equal(slopes_of(Sequential{Frozen{a}, Frozen{b}, c}).rest.rest.first,
               open.rest.rest.first);
  expect_equal(slopes_of(Sequential{Frozen{a}, b, Frozen{c}}).rest.first, open.rest.first);
  expect_equal(slopes_of(Sequential{Frozen{Sequential{a, b}}, c}).rest.first, open.rest.rest.first);
}

TEST(Frozen, MayStandInOtherLayers) {
  const auto a = layer(1);
  const auto b = layer(2);
  expect_equal(slopes_of(Sequential{Residual(Frozen{a}), b}).rest.first,
               slopes_of(Sequential{Residual(a), b}).rest.first);
  expect_equal(slopes_of(Residual(Frozen{a}, b)).shortcut, slopes_of(Residual(a, b)).shortcut);
  const MergeOptions merge{.how = Merge::Multiply};
  expect_equal(slopes_of(Branches(merge, Frozen{a}, b)).layers.rest.first,
               slopes_of(Branches(merge, a, b)).layers.rest.first);
}

struct Tuned {
  Frozen<Dense<double>> listed;
  Frozen<Dense<double>> left_out;
  Dense<double> head;
  Tensor<double> operator()(const Tensor<double>& x) const {
    return head(listed(x) * left_out(x)) + left_out(head(x));
  }
  DDX_DIFFERENTIABLE(Tuned, listed, head)
  DDX_NO_DERIVATIVE(left_out)
};

struct Open {
  Dense<double> listed;
  Dense<double> left_out;
  Dense<double> head;
  Tensor<double> operator()(const Tensor<double>& x) const {
    return head(listed(x) * left_out(x)) + left_out(head(x));
  }
  DDX_DIFFERENTIABLE(Open, listed, left_out, head)
};

TEST(Frozen, MayBeAMember) {
  const Tuned tuned{Frozen{layer(1)}, Frozen{layer(2)}, layer(3)};
  expect_equal(slopes_of(tuned).head, slopes_of(Open{layer(1), layer(2), layer(3)}).head);
}

TEST(Frozen, MayBeAllThereIs) {
  const auto expect_nothing = [](const auto& all) {
    using Model = std::remove_cvref_t<decltype(all)>;
    const auto slopes = slopes_of(all);
    visit_parameters([](const Path& path, const auto&, const auto&) { FAIL() << to_string(path); },
                     all, slopes);
    const auto [value, tangent] = jvp(loss<Model>, along(TangentOf<Model>{}), all);
    EXPECT_EQ(value, loss(all));
    EXPECT_EQ(sum(abs(Tensor<double>(tangent))).item(), 0);
  };
  expect_nothing(Frozen{layer(1)});
  expect_nothing(Sequential{Frozen{layer(1)}});
  expect_nothing(Sequential{Frozen{layer(1)}, Frozen{layer(2)}});
}

TEST(Frozen, ForwardModeAgreesWithThePullback) {
  const Sequential tuned{Frozen{layer(1)}, layer(2), Frozen{layer(3)}};
  using Model = std::remove_const_t<decltype(tuned)>;
  const auto weight = random_normal<double>(RandomKey(4), {3, 3});
  const auto bias = random_normal<double>(RandomKey(5), {3});
  TangentOf<Model> direction{};
  direction.rest.first.weight = weight;
  direction.rest.first.bias = bias;
  const auto slopes = slopes_of(tuned).rest.first;
  const double expected = (sum(slopes.weight * weight) + sum(slopes.bias * bias)).item();
  const auto [value, tangent] = jvp(loss<Model>, along(direction), tuned);
  EXPECT_EQ(value, loss(tuned));
  EXPECT_NEAR(Tensor<double>(tangent).item(), expected, 1e-12 * (1 + std::abs(expected)));
}

TEST(Frozen, HandsTheSlopeOfTheInputOn) {
  const Sequential closed{Frozen{layer(1)}, Frozen{layer(2)}};
  const Sequential open{layer(1), layer(2)};
  const auto slope = [](const auto& of) {
    return gradient([&](const Tensor<double>& x) { return sum(of(x) * of(x)); }, input);
  };
  EXPECT_EQ(slope(closed), slope(open));
  ddx::testing::expect_gradient(Sequential{Frozen{layer(1)}, layer(2)}, input);
}

}  // namespace frozen_test
}  // namespace ddx::nn
