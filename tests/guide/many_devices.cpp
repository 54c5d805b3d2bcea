// The programs of docs/guide/many_devices.md.

#include "ddx/backend/pjrt.h"
#include "ddx/ddx.h"

#include "expect.h"

#include <cstdint>
#include <string>
#include <vector>

namespace {

using ddx::testing::expect_close;

// [model]
struct Classifier {
  ddx::nn::Dense<float> hidden{{.in = 8, .out = 32, .activation = ddx::nn::Activation::ReLU}};
  ddx::nn::Dense<float> out{{.in = 32, .out = 4}};

  ddx::Tensor<float> operator()(const ddx::Tensor<float>& x) const { return x | hidden | out; }

  DDX_DIFFERENTIABLE(Classifier, hidden, out)
};

/// A training step; it does not depend on the devices.
float step(Classifier& model, ddx::nn::Adam<Classifier>& optimizer, const ddx::Tensor<float>& x,
           const ddx::Tensor<std::int32_t>& labels) {
  const auto [loss, gradient] = ddx::value_with_gradient(
      [&](const Classifier& m) { return softmax_cross_entropy(m(x), labels); }, model);
  optimizer.update(model, gradient);
  return loss.item();
}
// [/model]

float on_one(const Classifier& initial, const ddx::Tensor<float>& x,
             const ddx::Tensor<std::int32_t>& labels) {
  Classifier model = initial;
  ddx::nn::Adam<Classifier> optimizer(model, {});
  float loss = 0;
  for (int i = 0; i < 5; ++i) {
    loss = step(model, optimizer, x, labels);
  }
  return loss;
}

float data_parallel(Classifier model, const ddx::Tensor<float>& images,
                    const ddx::Tensor<std::int32_t>& classes) {
  // [data]
  const ddx::Mesh mesh({{"data", 4}}, ddx::Device::pjrt("cpu"));
  ddx::nn::move_to(model, mesh.device());  // Each device has all of the model,
  ddx::nn::Adam<Classifier> optimizer(model, {});
  const auto x = ddx::shard(images, mesh, {"data"});  // and a quarter of the batch.
  const auto labels = ddx::shard(classes, mesh, {"data"});
  float loss = 0;
  for (int i = 0; i < 5; ++i) {
    loss = step(model, optimizer, x, labels);  // The loss of the whole batch.
  }
  // [/data]
  return loss;
}

float model_parallel(Classifier model, const ddx::Tensor<float>& images,
                     const ddx::Tensor<std::int32_t>& classes) {
  // [weights]
  const ddx::Mesh mesh({{"data", 2}, {"model", 2}}, ddx::Device::pjrt("cpu"));
  ddx::nn::shard(model, mesh, [](const std::string& path, const ddx::Shape&) {
    using Spec = ddx::PartitionSpec;
    return path == "hidden.weight" ? Spec{{}, "model"}  // Columns of the first layer,
           : path == "hidden.bias" ? Spec{"model"}
           : path == "out.weight"  ? Spec{"model"}  // rows of the second.
                                   : Spec{};
  });
  ddx::nn::Adam<Classifier> optimizer(model, {});
  const auto x = ddx::shard(images, mesh, {"data"});
  const auto labels = ddx::shard(classes, mesh, {"data"});
  float loss = 0;
  for (int i = 0; i < 5; ++i) {
    loss = step(model, optimizer, x, labels);
  }
  const auto parts = ddx::parts_of(model.hidden.weight);  // Of [8, 32] each device has [8, 16].
  // [/weights]
  expect_close("parts", static_cast<double>(parts[3].shape[1]), 16);
  return loss;
}

}  // namespace

int main() {
  ddx::backend::add_pjrt_folder(DDX_PJRT_FOLDER);
  // [devices]
  ddx::backend::set_pjrt_options("cpu", {.cpu_device_count = 4});
  // [/devices]
  Classifier model;
  ddx::nn::initialize(model, ddx::RandomKey(1));
  const auto x = ddx::random_normal<float>(ddx::RandomKey(2), {16, 8});
  const ddx::Tensor<std::int32_t> labels =
      argmax(matmul(x, ddx::random_normal<float>(ddx::RandomKey(3), {8, 4})), 1);
  const float expected = on_one(model, x, labels);
  expect_close("data parallel", data_parallel(model, x, labels), expected, 2e-6);
  expect_close("model parallel", model_parallel(model, x, labels), expected, 2e-6);
}
