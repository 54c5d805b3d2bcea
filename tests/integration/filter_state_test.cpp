// XLA for GPUs copies the momentum of filters if a step donates it. A plugin can be asked for
// programs that do not, which compute the same.

#include "ddx/ad.h"
#include "ddx/backend/pjrt.h"
#include "ddx/core/device.h"
#include "ddx/core/mesh.h"
#include "ddx/core/random_key.h"
#include "ddx/nn.h"
#include "ddx/tensor.h"

#include "tests/support/virtual_devices.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx {
namespace {

using Model =
    nn::Sequential<nn::Conv2D<float>, nn::Conv2D<float>, nn::Flatten<float>, nn::Dense<float>>;

Model initial_model() {
  return Model(nn::Conv2D<float>({.in = 2, .out = 4, .key = RandomKey(1)}),
               nn::Conv2D<float>({.in = 4, .out = 4, .key = RandomKey(2)}), nn::Flatten<float>{},
               nn::Dense<float>({.in = 4 * 4 * 4, .out = 3, .key = RandomKey(3)}));
}

/// What XLA has been given last by `device_like_a_gpu`.
std::string& last_text() {
  static std::string text;
  return text;
}

/// Two of XLA's devices on CPUs, under a name of its own, whose programs do not donate the momentum
/// of filters.
Device device_like_a_gpu() {
  static const Device device = [] {
    (void)testing::first_virtual_device();
    backend::add_pjrt_plugin("like_a_gpu", backend::pjrt_platform("cpu").file);
    backend::set_pjrt_options("like_a_gpu", {.cpu_device_count = 2,
                                             .donate_filter_state = false,
                                             .on_program = [](const backend::PjrtProgram& program) {
                                               last_text() = program.text;
                                             }});
    return Device::pjrt("like_a_gpu");
  }();
  return device;
}

std::vector<float> losses(const Device& device) {
  Model model = initial_model();
  nn::move_to(model, device);
  const Tensor<float> x = random_normal<float>(RandomKey(4), {6, 8, 8, 2}).to(device);
  const Tensor<std::int32_t> labels = Tensor<std::int32_t>({6}, {0, 1, 2, 0, 1, 2}).to(device);
  nn::SGD<Model> optimizer(model, {.learning_rate = 0.1, .momentum = 0.9});
  const auto loss_of_step = [&] {
    const auto [loss, gradient] = value_with_gradient(
        [&](const Model& m) { return softmax_cross_entropy(m(x), labels); }, model);
    optimizer.update(model, gradient);
    return loss;
  };
  std::vector<float> losses;
  for (int i = 0; i < 4; ++i) {
    losses.push_back(loss_of_step().item());
  }
  return losses;
}

/// How many parameters of a program are overwritten by a result.
int donated(const std::string& text) {
  const std::string attribute = "tf.aliasing_output";
  int count = 0;
  for (std::size_t at = text.find(attribute); at != std::string::npos;
       at = text.find(attribute, at + 1)) {
    ++count;
  }
  return count;
}

// Of two convolutions and a dense layer 3 weights and 3 biases have momentum: 12 parameters, of
// which the momentum of the two filters is not donated.
TEST(FilterState, IsNotDonatedOnOneDevice) {
  const std::vector<float> expected = losses(testing::first_virtual_device());
  EXPECT_EQ(losses(device_like_a_gpu()), expected);
  EXPECT_EQ(donated(last_text()), 12 - 2);
}

TEST(FilterState, IsNotDonatedOnAMesh) {
  const Mesh mesh({{"data", 2}}, device_like_a_gpu());
  EXPECT_EQ(losses(mesh.device()).size(), 4U);
  EXPECT_EQ(donated(last_text()), 12 - 2);
}

}  // namespace
}  // namespace ddx
