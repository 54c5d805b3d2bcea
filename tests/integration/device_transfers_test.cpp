// What a step of training sends to the devices of a plugin, and reads from them. Each transfer
// costs a GPU more than a small operation.

#include "ddx/ad.h"
#include "ddx/backend/pjrt.h"
#include "ddx/core/device.h"
#include "ddx/core/mesh.h"
#include "ddx/core/random_key.h"
#include "ddx/nn.h"
#include "ddx/tensor.h"

#include "tests/support/virtual_devices.h"

#include <cstdint>
#include <gtest/gtest.h>

namespace ddx {
namespace {

using Model = nn::Sequential<nn::Dense<float>, nn::Dense<float>>;

Model initial_model() {
  return Model(nn::Dense<float>(
                   {.in = 8, .out = 16, .activation = nn::Activation::ReLU, .key = RandomKey(1)}),
               nn::Dense<float>({.in = 16, .out = 4, .key = RandomKey(2)}));
}

struct Transfers {
  std::uint64_t sent;
  std::uint64_t sent_bytes;
  std::uint64_t read;

  friend bool operator==(const Transfers&, const Transfers&) = default;
};

Transfers transfers() {
  const backend::PjrtStatistics statistics = backend::pjrt_statistics("cpu");
  return {statistics.sent, statistics.sent_bytes, statistics.read};
}

/// The transfers of the fourth step, whose loss is observed. The first ones send model and batch,
/// and record that numbers change.
template <class Optimizer>
Transfers of_steady_step(const typename Optimizer::Options& options, const Device& device) {
  Model model = initial_model();
  nn::move_to(model, device);
  const Tensor<float> x = random_normal<float>(RandomKey(3), {8, 8}).to(device);
  const Tensor<std::int32_t> labels =
      Tensor<std::int32_t>({8}, {0, 1, 2, 3, 0, 1, 2, 3}).to(device);
  Optimizer optimizer(model, options);
  Transfers before{};
  for (int i = 0; i < 4; ++i) {
    before = transfers();
    const auto [loss, gradient] = value_with_gradient(
        [&](const Model& m) { return softmax_cross_entropy(m(x), labels); }, model);
    optimizer.update(model, gradient);
    EXPECT_GT(loss.item(), 0.0F);
  }
  const Transfers after = transfers();
  return {after.sent - before.sent, after.sent_bytes - before.sent_bytes, after.read - before.read};
}

// Two numbers of Adam change with each step. With the others they are one array of f32: six for all
// parameters, and 1/8 of the mean loss. What is read are the outcomes of the checks of the labels,
// and the loss.
TEST(DeviceTransfers, AStepOfAdamSendsOneArray) {
  const Transfers step = of_steady_step<nn::Adam<Model>>({}, testing::first_virtual_device());
  EXPECT_EQ(step.sent, 1U);
  EXPECT_EQ(step.sent_bytes, 4U * (6 + 1));
  EXPECT_EQ(step.read, 2U);
}

TEST(DeviceTransfers, AStepWhoseNumbersStaySendsNothing) {
  EXPECT_EQ(of_steady_step<nn::SGD<Model>>({.learning_rate = 0.3, .momentum = 0.9},
                                           testing::first_virtual_device()),
            (Transfers{0, 0, 2}));
}

TEST(DeviceTransfers, OnAMeshEachDeviceGetsOneArray) {
  const Transfers one = of_steady_step<nn::Adam<Model>>({}, testing::first_virtual_device());
  const Transfers four =
      of_steady_step<nn::Adam<Model>>({}, testing::mesh_of({{"data", 4}}).device());
  EXPECT_EQ(four.sent, 4U);
  EXPECT_EQ(four.sent_bytes, 4 * one.sent_bytes);
  EXPECT_EQ(four.read, 2U);
}

// The sizes are known here: an array of 6 f32 goes there, one of 3 comes back.
TEST(DeviceTransfers, ArraysCountWithTheirSize) {
  const Tensor<float> x({2, 3}, {1, 2, 3, 4, 5, 6}, testing::first_virtual_device());
  const Transfers before = transfers();
  const Tensor<float> sums = sum(x, {.axes = {0}});
  EXPECT_EQ(sums.values(), (std::vector<float>{5, 7, 9}));
  const Transfers after = transfers();
  EXPECT_EQ(after.sent - before.sent, 1U);
  EXPECT_EQ(after.sent_bytes - before.sent_bytes, 24U);
  EXPECT_EQ(after.read - before.read, 1U);
}

}  // namespace
}  // namespace ddx
