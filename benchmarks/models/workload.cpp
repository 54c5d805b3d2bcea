#include "workload.h"

#include "ddx/ad.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/models/lenet.h"
#include "ddx/nn/activation.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/optimizers/sgd.h"
#include "ddx/nn/pipe.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ddx::bench {
namespace {

constexpr std::int64_t batch_size = 128;

/// 784-512-512-10 with rectifiers.
struct Mlp {
  nn::Dense<float> hidden1{{.in = 784, .out = 512, .activation = nn::Activation::ReLU}};
  nn::Dense<float> hidden2{{.in = 512, .out = 512, .activation = nn::Activation::ReLU}};
  nn::Dense<float> classifier{{.in = 512, .out = 10}};

  [[nodiscard]] Tensor<float> operator()(const Tensor<float>& x) const {
    return x | hidden1 | hidden2 | classifier;
  }

  DDX_DIFFERENTIABLE(Mlp, hidden1, hidden2, classifier)
};

/// Labels of ten classes, drawn evenly.
Tensor<std::int32_t> random_labels(RandomKey key, Device device) {
  std::vector<std::int32_t> labels;
  for (std::uint64_t i = 0; i < batch_size; ++i) {
    labels.push_back(static_cast<std::int32_t>(key.words(i)[0] % 10));
  }
  return Tensor<std::int32_t>({batch_size}, labels, device);
}

/// What a training step needs.
template <class Model>
struct Training {
  Training(const Shape& input, Device device)
      : x(random_normal<float>(RandomKey(1), input, {}, device)),
        labels(random_labels(RandomKey(2), device)),
        model(initial_model(device)),
        optimizer(model, {.learning_rate = 0.01}) {}

  double step() {
    const auto [loss, gradient] = value_with_gradient(
        [&](const Model& m) { return softmax_cross_entropy(m(x), labels); }, model);
    const double before = static_cast<double>(loss.item());
    optimizer.update(model, gradient);
    return before;
  }

  static Model initial_model(Device device) {
    Model fresh;
    nn::initialize(fresh, RandomKey(3));
    nn::move_to(fresh, device);
    return fresh;
  }

  Tensor<float> x;
  Tensor<std::int32_t> labels;
  Model model;
  nn::SGD<Model> optimizer;
};

template <class Model>
Workload workload_of(const Shape& input, Device device) {
  const auto training = std::make_shared<Training<Model>>(input, device);
  return {[training] { return training->step(); }};
}

}  // namespace

std::vector<std::string> workload_names() {
  return {"mlp", "lenet"};
}

Workload workload(const std::string& name, Device device) {
  if (name == "mlp") {
    return workload_of<Mlp>({batch_size, 784}, device);
  }
  if (name == "lenet") {
    return workload_of<models::LeNet<float>>({batch_size, 28, 28, 1}, device);
  }
  throw UsageError("bench models", "there is no workload '" + name + "'");
}

}  // namespace ddx::bench
