// What an optimiser's step records: nothing for parameters without elements, and numbers of the
// step once, however many parameters there are.

#include "ddx/ad.h"
#include "ddx/core/dtype.h"
#include "ddx/core/float16.h"
#include "ddx/core/random_key.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/passes/optimise.h"
#include "ddx/nn.h"
#include "ddx/tensor.h"
#include "ddx/tensor/compile.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx {
namespace {

using namespace ddx::nn;

template <class Scalar>
struct Layers {
  std::vector<Dense<Scalar>> list;

  [[nodiscard]] Tensor<Scalar> operator()(Tensor<Scalar> x) const {
    for (const auto& layer : list) {
      x = layer(x);
    }
    return x;
  }

  DDX_DIFFERENTIABLE(Layers, list)
};

using Model = Layers<float>;

/// Square layers: two tensors each with a bias; else one, and a bias without elements.
template <class Scalar>
Layers<Scalar> layers(std::size_t count, bool bias) {
  Layers<Scalar> model;
  for (std::size_t i = 0; i < count; ++i) {
    model.list.push_back(Dense<Scalar>({.in = 4, .out = 4, .bias = bias, .key = RandomKey(i)}));
  }
  return model;
}

template <class Optimizer, class Trained, class Scalar>
auto step(Trained model, Optimizer optimizer, const Tensor<Scalar>& x) {
  const auto slope = gradient([&](const Trained& m) { return mean(square(m(x))); }, model);
  optimizer.update(model, slope);
  return std::tuple(std::move(model), std::move(optimizer));
}

/// What a step records.
template <class Optimizer, class Scalar>
ir::Graph recorded(const Layers<Scalar>& model, const Optimizer& optimizer) {
  const auto x = cast<Scalar>(random_normal<float>(RandomKey(4), {8, 4}));
  return ir::optimised(graph(step<Optimizer, Layers<Scalar>, Scalar>)(model, optimizer, x));
}

/// How many nodes have an operand or a result without elements.
std::size_t empty_nodes(const ir::Graph& graph) {
  const auto is_empty = [&](ir::ValueId value) { return graph.type(value).shape.count() == 0; };
  std::size_t count = 0;
  for (std::size_t i = 0; i < graph.node_count(); ++i) {
    const ir::Node node = graph.node(i);
    bool found = std::ranges::any_of(node.operands, is_empty);
    for (std::size_t k = 0; k < node.result_count; ++k) {
      found = found || is_empty(node.result(k));
    }
    count += found ? 1 : 0;
  }
  return count;
}

/// How many nodes compute a number of the step, in f64.
std::size_t number_nodes(const ir::Graph& graph) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < graph.node_count(); ++i) {
    const ir::Type& type = graph.type(graph.node(i).result());
    count += type.dtype == DType::f64 && type.shape.rank() == 0 ? 1 : 0;
  }
  return count;
}

template <class Optimizer>
Optimizer with_momentum(Optimizer optimizer) {
  if constexpr (requires { optimizer.options.momentum; }) {
    optimizer.options.momentum = 0.9;
  }
  if constexpr (requires { optimizer.options.dampening; }) {
    optimizer.options.dampening = 0.5;
  }
  return optimizer;
}

template <class Optimizer>
class UpdatesOfEmptyTensors : public ::testing::Test {};

template <class Trained>
using AllOptimizers =
    ::testing::Types<SGD<Trained>, Adam<Trained>, AdamW<Trained>, AMSGrad<Trained>, NAdam<Trained>,
                     RAdam<Trained>, AdaMax<Trained>, AdaDelta<Trained>, AdaGrad<Trained>,
                     Adafactor<Trained>, LAMB<Trained>, LARS<Trained>, Lion<Trained>,
                     RMSProp<Trained>>;
TYPED_TEST_SUITE(UpdatesOfEmptyTensors, AllOptimizers<Model>);

TYPED_TEST(UpdatesOfEmptyTensors, RecordNothing) {
  const Model model = layers<float>(2, false);
  auto optimizer = with_momentum(TypeParam(model));
  optimizer.options.weight_decay = 0.1;
  EXPECT_EQ(empty_nodes(recorded(model, optimizer)), 0U);
}

TEST(UpdatesOfEmptyTensors16Bit, RecordNothing) {
  const auto model = layers<BFloat16>(2, false);
  EXPECT_EQ(empty_nodes(recorded(model, AdamW(model))), 0U);
}

TEST(ArithmeticOnEmptyTensors, RecordsNothing) {
  using Average = ExponentialMovingAverage<Model>;
  const auto follow = [](const Model& model, Average average, GradientAccumulator<Model> sums,
                         const Tensor<float>& x) {
    auto slope = gradient([&](const Model& m) { return mean(square(m(x))); }, model);
    sums.add(clip_by_value(clip_by_global_norm(std::move(slope), 0.5), 0.1), 2);
    average.update(model);
    return std::tuple(sums.take_mean(), std::move(average));
  };
  const Model model = layers<float>(2, false);
  const auto x = random_normal<float>(RandomKey(4), {8, 4});
  const ir::Graph recorded = ir::optimised(
      graph(follow)(model, Average(model, {.warm_up = true}), GradientAccumulator(model), x));
  EXPECT_EQ(empty_nodes(recorded), 0U);
}

/// The optimisers whose numbers do not depend on the parameters.
template <class Optimizer>
class NumbersOfAStep : public ::testing::Test {};

using SharedNumbers = ::testing::Types<SGD<Model>, Adam<Model>, AdamW<Model>, AMSGrad<Model>,
                                       NAdam<Model>, RAdam<Model>, AdaMax<Model>>;
TYPED_TEST_SUITE(NumbersOfAStep, SharedNumbers);

TYPED_TEST(NumbersOfAStep, AreComputedOnceForAllParameters) {
  const auto count_for = [](std::size_t layer_count, bool groups) {
    const Model model = layers<float>(layer_count, true);
    auto optimizer = with_momentum(TypeParam(model));
    if (groups) {
      optimizer.groups.push_back(
          {paths_ending_with("weight"), [](auto& own) { own.weight_decay = 0.1; }});
    }
    return number_nodes(recorded(model, optimizer));
  };
  EXPECT_GE(count_for(1, false), 1U);
  EXPECT_EQ(count_for(3, false), count_for(1, false));
  EXPECT_EQ(count_for(3, true), count_for(1, true));
}

}  // namespace
}  // namespace ddx
