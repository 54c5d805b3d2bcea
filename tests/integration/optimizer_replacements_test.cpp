// In a step of training each tensor of the model and of the optimiser's state is replaced by its
// own next value, though others have its type: what lets a device update all of them in place.

#include "ddx/ad.h"
#include "ddx/core/random_key.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/passes/optimise.h"
#include "ddx/ir/replacements.h"
#include "ddx/nn.h"
#include "ddx/tensor.h"
#include "ddx/tensor/compile.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx {
namespace {

using namespace ddx::nn;

using Model = Sequential<Dense<float>, BatchNorm<float>, Dense<float>>;

/// Two layers of equal shapes, and statistics with the biases' shape.
Model model() {
  return Model(
      Dense<float>({.in = 4, .out = 4, .activation = Activation::Tanh, .key = RandomKey(1)}),
      BatchNorm<float>({.features = 4}), Dense<float>({.in = 4, .out = 4, .key = RandomKey(2)}));
}

template <class Optimizer>
auto step(Model trained, Optimizer optimizer, const Tensor<float>& x, const Tensor<float>& y) {
  begin_step(trained, RandomKey(3));
  const auto slope = gradient([&](const Model& m) { return mean(square(m(x) - y)); }, trained);
  optimizer.update(trained, slope);
  end_step(trained);
  return std::tuple(std::move(trained), std::move(optimizer));
}

/// What the second step records, since the first one makes the optimiser's state. The tensors of
/// the model and of the optimiser are its first parameters and, in the same order, its results.
template <class Optimizer>
ir::Graph recorded_step(const Optimizer& optimizer) {
  const auto x = random_normal<float>(RandomKey(4), {8, 4});
  const auto y = x + 1.0F;
  auto [trained, own] = step(model(), optimizer, x, y);
  return ir::optimised(graph(step<Optimizer>)(trained, own, x, y));
}

template <class Optimizer>
class OptimizerReplacements : public ::testing::Test {};

using Optimizers =
    ::testing::Types<SGD<Model>, Adam<Model>, AdamW<Model>, AMSGrad<Model>, NAdam<Model>,
                     RAdam<Model>, AdaMax<Model>, AdaDelta<Model>, AdaGrad<Model>, Adafactor<Model>,
                     LAMB<Model>, LARS<Model>, Lion<Model>, RMSProp<Model>>;
TYPED_TEST_SUITE(OptimizerReplacements, Optimizers);

TYPED_TEST(OptimizerReplacements, EachTensorIsReplacedByItsNextValue) {
  TypeParam optimizer(model());
  if constexpr (requires { optimizer.options.momentum; }) {
    optimizer.options.momentum = 0.9;
  }
  const ir::Graph graph = recorded_step(optimizer);
  const std::vector<std::optional<std::size_t>> replaced = ir::replacements(graph);
  std::size_t count = 0;
  for (std::size_t i = 0; i < graph.results().size(); ++i) {
    if (!graph.producer(graph.results()[i])) {
      continue;  // It stays as it is.
    }
    ++count;
    EXPECT_EQ(replaced[i], i) << "parameter " << i;
  }
  EXPECT_GE(count, 8U);  // Two weights, two biases; mean, variance, scale and shift.
  for (std::size_t i = graph.results().size(); i < replaced.size(); ++i) {
    EXPECT_EQ(replaced[i], std::nullopt) << "parameter " << i;
  }
}

}  // namespace
}  // namespace ddx
