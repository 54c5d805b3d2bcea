// Third derivatives of operations whose second ones are operations or formulas of their own,
// against central differences of products with the Hessian.

#include "ddx/backend/backend.h"
#include "ddx/core/device.h"
#include "ddx/nn.h"
#include "ddx/tensor.h"

#include "tests/conformance/second_order/second_order.h"

#include <gtest/gtest.h>

namespace ddx::testing {
namespace {

const Shape rows{6, 3};

/// Compares, as gradient, as tangent and as product with the Hessian of a slope, the derivative
/// along `u` of the product of the Hessian of `loss` and `v`.
template <class Loss>
void expect_third_derivatives(const Loss& loss, Device device) {
  const Doubles x = random_tensor(rows, 1, device);
  const Doubles v = random_tensor(rows, 2, device);
  const Doubles u = random_tensor(rows, 3, device);
  constexpr double step = 1e-5;
  const Doubles expected =
      (hvp(loss, testing::along(x, step, u), v) - hvp(loss, testing::along(x, -step, u), v)) /
      (2 * step);
  const double bound = 1e-6 * (1 + max(abs(expected)).item());
  const auto product = [&](const Doubles& t) { return hvp(loss, t, v); };
  EXPECT_LT(max(abs(jvp(product, ddx::along(u), x).tangent - expected)).item(), bound);
  // Third derivatives are symmetric.
  const auto along_u = [&](const Doubles& t) { return sum(hvp(loss, t, v) * u); };
  EXPECT_LT(max(abs(gradient(along_u, x) - expected)).item(), bound);
  const auto slope = [&](const Doubles& t) { return sum(gradient(loss, t) * u); };
  EXPECT_LT(max(abs(hvp(slope, x, v) - expected)).item(), bound);
}

class ThirdOrder : public ::testing::TestWithParam<Device> {
 protected:
  [[nodiscard]] Doubles drawn(const Shape& shape, int seed) const {
    return random_tensor(shape, static_cast<std::uint64_t>(seed), GetParam());
  }
};

TEST_P(ThirdOrder, OfBatchNormalisation) {
  const Doubles scale = drawn({3}, 4);
  const Doubles weights = drawn(rows, 5);
  expect_third_derivatives(
      [&](const Doubles& t) {
        const auto y = batch_norm_training(t, scale * mean(t, {.axes = {0}}),
                                           sum(square(t), {.axes = {0}}), {.epsilon = 0.1});
        return sum(sin(y.output) * weights);
      },
      GetParam());
}

TEST_P(ThirdOrder, OfLayerNormalisation) {
  const Doubles scale = drawn({3}, 4);
  const Doubles weights = drawn(rows, 5);
  expect_third_derivatives(
      [&](const Doubles& t) {
        return sum(sin(layer_norm(t, scale * mean(t, {.axes = {0}}), sum(square(t), {.axes = {0}}),
                                  {.epsilon = 0.1})) *
                   weights);
      },
      GetParam());
}

TEST_P(ThirdOrder, OfAttention) {
  const Doubles weights = drawn(rows, 5);
  expect_third_derivatives(
      [&](const Doubles& t) {
        return sum(sin(attention(t, square(t), sin(t), {.causal = true})) * weights);
      },
      GetParam());
}

TEST_P(ThirdOrder, OfActivations) {
  const Doubles weights = drawn(rows, 5);
  expect_third_derivatives(
      [&](const Doubles& t) { return sum(gelu_tanh(t) * gelu(t) * silu(t) * selu(t) * weights); },
      GetParam());
}

TEST_P(ThirdOrder, OfChoices) {
  const Doubles weights = drawn(rows, 5);
  expect_third_derivatives(
      [&](const Doubles& t) {
        const auto s = leaky_relu(sin(t), 0.1) * maximum(t * square(t), t + 1.5);
        return sum(s * minimum(exp(t), mean(square(t), {.axes = {0}})) * weights);
      },
      GetParam());
}

TEST_P(ThirdOrder, OfPowers) {
  const Doubles weights = drawn(rows, 5);
  expect_third_derivatives(
      [&](const Doubles& t) {
        return sum(pow(square(t) + 0.5, sin(mean(t, {.axes = {0}}))) * weights);
      },
      GetParam());
}

// No tangents are registered for these: theirs are the transposes of pullbacks.
TEST_P(ThirdOrder, OfPullbacksAlone) {
  const Doubles weights = drawn(rows, 5);
  expect_third_derivatives(
      [&](const Doubles& t) {
        const auto angle = atan2(t, square(t) + 1);
        return sum(angle * hypot(t + 2, mean(t * sin(t), {.axes = {0}})) * weights);
      },
      GetParam());
}

TEST_P(ThirdOrder, OfLayers) {
  nn::Dense<double> layer({.in = 3, .out = 2, .activation = nn::Activation::LeakyReLU});
  layer.weight = drawn({3, 2}, 6);
  layer.bias = drawn({2}, 7);
  expect_third_derivatives([&](const Doubles& t) { return sum(cos(layer(sin(t)))); }, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Devices, ThirdOrder, ::testing::ValuesIn(backend::available_devices()));

}  // namespace
}  // namespace ddx::testing
