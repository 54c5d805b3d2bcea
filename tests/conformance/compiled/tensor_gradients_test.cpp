// Programs over tensors, differentiated by the compiler, against central differences: the
// registered derivatives as users meet them.

#include "ddx/ddx.h"

#include "tests/conformance/compiled/checks.h"
#include "tests/conformance/gradient_check.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::testing {
namespace {

const Doubles x{{0.5, -1.5}, {2.25, 0.75}};

TEST(CompiledTensors, Operators) {
  expect_compiled([](const Doubles& t) { return sum((t * 2.0 + 1) * (3.0 - t) / (t * t + 1.0)); },
                  x);
  expect_compiled([](const Doubles& t) { return sum(-t / 2.0 - 1.0 / (t + 4.0)); }, x);
  expect_compiled([](const Doubles& t) { return mean(exp(-t) + tanh(t) * sigmoid(t) + square(t)); },
                  x);
  expect_compiled([](const Doubles& t) { return sum(relu(t) * abs(t) + maximum(t, 0.9 - t)); }, x);
}

TEST(CompiledTensors, UpdatesInPlace) {
  expect_compiled(
      [](const Doubles& t) {
        Doubles s = t;
        s *= t;
        s -= sin(t);
        s += 1.0;
        s /= t * t + 1.0;
        s += s;
        return sum(s);
      },
      x);
  expect_compiled([](const Doubles& t) { return sum(square(add_scaled(t, 2.0, cos(t)))); }, x);
}

TEST(CompiledTensors, ParametersOfAnotherPrecision) {
  const Doubles form = zeros<double>({2, 2});
  expect_compiled(
      [&](const Doubles& t) { return sum(exp(nn::cast_parameters(form, t)) * cast<double>(t)); },
      x);
}

TEST(CompiledTensors, LoopsAndBranches) {
  expect_compiled(
      [](const Doubles& t) {
        Doubles power = t;
        for (int i = 0; i < 3; ++i) {
          if (i == 1) {
            power = power * t;
          } else {
            power += t;
          }
        }
        return sum(power);
      },
      x);
}

TEST(CompiledTensors, Movement) {
  expect_compiled([](const Doubles& t) { return sum(square(transpose(t)) * reshape(t, {2, -1})); },
                  x);
  expect_compiled([](const Doubles& t) { return sum(square(slice(t, {.start = {0, 1}}))); }, x);
  expect_compiled([](const Doubles& t) { return sum(square(pad(t, {1, 1}, {0, 0}, 3.0))); }, x);
  expect_compiled(
      [](const Doubles& t) { return sum(square(gather(t, Tensor<std::int32_t>{1, 1, 0}))); }, x);
  expect_compiled(
      [](const Doubles& t) { return sum(square(concatenate(std::vector<Doubles>{t, t * t}, 1))); },
      x);
  expect_compiled([](const Doubles& t) { return sum(select(greater(t, 0.6), t, square(t))); }, x);
  expect_compiled(
      [](const Doubles& t) { return sum(broadcast_to(t, {3, 2, 2}) * iota<double>(2)); }, x);
}

TEST(CompiledTensors, ReductionsAndProbabilities) {
  expect_compiled(
      [](const Doubles& t) { return sum(max(t, {.axes = {1}}) * mean(t, {.axes = {0}})); }, x);
  expect_compiled([](const Doubles& t) { return sum(softmax(t) * log_softmax(t, 0)); }, x);
  expect_compiled(
      [](const Doubles& t) { return softmax_cross_entropy(t * t, Tensor<std::int32_t>{1, 0}); }, x);
}

TEST(CompiledTensors, ConvolutionAndPooling) {
  const auto image = random_tensor({1, 4, 4, 2}, 1, Device());
  expect_compiled(
      [](const Doubles& t) {
        return sum(square(conv2d(t, reshape(t, {4, 2, 2, 2}), {.padding = Padding::Same})));
      },
      image);
  expect_compiled(
      [](const Doubles& t) { return sum(square(avg_pool2d(t)) + square(max_pool2d(t))); }, image);
}

TEST(CompiledTensors, BatchNormalisationReturnsSeveralValues) {
  const auto rows = random_tensor({5, 2}, 1, Device());
  expect_compiled(
      [](const Doubles& t) {
        const auto result = batch_norm_training(t, Doubles{1, 2}, Doubles{0, 1});
        return sum(result.output * t);
      },
      rows);
}

TEST(CompiledTensors, Elements) {
  const auto product = gradient([](const Doubles& t) { return t[{0, 1}] * t[{1, 1}]; }, x);
  EXPECT_EQ(product, (Doubles{{0, 0.75}, {0, -1.5}}));
  EXPECT_EQ(gradient([](const Doubles& t) { return sum(t).item() * 2; }, x),
            (Doubles{{2, 2}, {2, 2}}));
  EXPECT_EQ(gradient([](const Doubles& t) { return sum(t.to(Device::naive())); }, x),
            (Doubles{{1, 1}, {1, 1}}));
  EXPECT_EQ(gradient([](double s) { return sum(full({2, 3}, s) * s); }, 2.0), 24);
  EXPECT_EQ(gradient([](const Doubles& t) { return sum(cast<float>(t)); }, x),
            (Doubles{{1, 1}, {1, 1}}));
}

TEST(CompiledTensors, AnUnusedArgumentGetsZerosOfItsShape) {
  const auto [first, second] =
      gradient([](const Doubles& a, const Doubles&) { return sum(a); }, x, Doubles{1, 2, 3});
  EXPECT_EQ(first, (Doubles{{1, 1}, {1, 1}}));
  EXPECT_EQ(second, (Doubles{0, 0, 0}));
}

/// A model as users write one.
struct Model {
  Doubles weights;
  Doubles bias;

  Doubles operator()(const Doubles& input) const { return relu(matmul(input, weights) + bias); }

  DDX_DIFFERENTIABLE(Model, weights, bias)
};

// By hand: input w + b = [[7.5, -5.75]], so the second column is dead; dw = input^T [2 * 7.5, 0].
TEST(CompiledTensors, ModelsHaveTypedGradients) {
  const Model model{Doubles{{1, 2}, {3, -4}}, Doubles{0.5, 0.25}};
  const auto gradient_of_model =
      gradient([](const Model& m) { return sum(square(m(Doubles{{1, 2}}))); }, model);
  EXPECT_EQ(gradient_of_model.weights, (Doubles{{15, 0}, {30, 0}}));
  EXPECT_EQ(gradient_of_model.bias, (Doubles{15, 0}));
}

TEST(CompiledTensors, ErrorsNameTheLineOfTheUser) {
  const auto message = [&] {
    try {
      (void)gradient([](const Doubles& t) { return sum(matmul(t, Doubles{{1, 2, 3}})); }, x);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  }();
  EXPECT_NE(message.find("matmul: inner extents 2 and 1 differ; shapes [2, 2] and [1, 3] (at "),
            std::string::npos)
      << message;
  EXPECT_NE(message.find("tensor_gradients_test.cpp:"), std::string::npos) << message;
}

}  // namespace
}  // namespace ddx::testing
