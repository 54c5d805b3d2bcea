// What a step of training takes of a device's memory, as XLA has planned it.

#include "ddx/ad.h"
#include "ddx/backend/pjrt.h"
#include "ddx/core/random_key.h"
#include "ddx/nn.h"
#include "ddx/tensor.h"

#include "tests/support/virtual_devices.h"

#include <cstdint>
#include <gtest/gtest.h>

namespace ddx {
namespace {

using Model = nn::Sequential<nn::Dense<float>, nn::Dense<float>>;

// The parameters and both moments of Adam are written over: 3 times 64 x 64 + 64 + 64 x 8 + 8
// numbers of 4 bytes. Beside them a step takes the batch, 8 x 64 numbers and 8 labels, and 6
// numbers for all 4 parameters, and 1 / 8; it returns the loss and the outcome of checks.
TEST(DeviceMemory, AStepOfAdamIsWrittenOverTheModel) {
  constexpr std::int64_t model_bytes = 4 * (64 * 64 + 64 + 64 * 8 + 8);
  constexpr std::int64_t batch_bytes = 4 * (8 * 64 + 8);
  constexpr std::int64_t numbers_bytes = 4 * (6 + 1);
  Model model(nn::Dense<float>(
                  {.in = 64, .out = 64, .activation = nn::Activation::ReLU, .key = RandomKey(1)}),
              nn::Dense<float>({.in = 64, .out = 8, .key = RandomKey(2)}));
  const Device device = testing::first_virtual_device();
  nn::move_to(model, device);
  const Tensor<float> x = random_normal<float>(RandomKey(3), {8, 64}).to(device);
  const Tensor<std::int32_t> labels = iota<std::int32_t>(8, device);
  nn::Adam<Model> optimizer(model);
  // The gradient ends before the loss is observed: what is alive then is a result.
  const auto loss_of_step = [&] {
    const auto [loss, gradient] = value_with_gradient(
        [&](const Model& m) { return softmax_cross_entropy(m(x), labels); }, model);
    optimizer.update(model, gradient);
    return loss;
  };
  for (int i = 0; i < 4; ++i) {
    EXPECT_GT(loss_of_step().item(), 0.0F);
  }
  const backend::PjrtProgramMemory step = backend::pjrt_program_memory("cpu").back();
  EXPECT_EQ(step.aliased, 3 * model_bytes);
  EXPECT_EQ(step.arguments, 3 * model_bytes + batch_bytes + numbers_bytes);
  EXPECT_GE(step.results, step.aliased + 4);
  EXPECT_LT(step.results, step.aliased + 256) << "the gradient too";
  EXPECT_GT(step.temporary, 0);
  EXPECT_GE(step.peak, step.arguments + step.temporary);
}

}  // namespace
}  // namespace ddx
