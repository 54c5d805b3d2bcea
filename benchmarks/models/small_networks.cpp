#include "ddx/models/lenet.h"
#include "ddx/nn/activation.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/optimizers/sgd.h"
#include "ddx/nn/pipe.h"

#include "multiplications.h"
#include "training.h"
#include "workloads.h"

#include <cstdint>

namespace ddx::bench {
namespace {

template <FloatingScalar Scalar>
struct Mlp {
  nn::Dense<Scalar> hidden1{{.in = 784, .out = 512, .activation = nn::Activation::ReLU}};
  nn::Dense<Scalar> hidden2{{.in = 512, .out = 512, .activation = nn::Activation::ReLU}};
  nn::Dense<Scalar> classifier{{.in = 512, .out = 10}};

  [[nodiscard]] Tensor<Scalar> operator()(const Tensor<Scalar>& x) const {
    return x | hidden1 | hidden2 | classifier;
  }

  DDX_DIFFERENTIABLE(Mlp, hidden1, hidden2, classifier)
};

std::int64_t batch_size(const WorkloadOptions& options) {
  return options.small ? 16 : 128;
}

}  // namespace

Workload mlp(const WorkloadOptions& options) {
  const std::int64_t batch = batch_size(options);
  const auto images = static_cast<double>(batch);
  const double first = images * 784 * 512;
  const double forward = first + images * (512. * 512 + 512 * 10);
  return workload_of<nn::SGD>([]<class Scalar>(Scalar) { return Mlp<Scalar>(); },
                              {{batch, 784}, batch, 10}, nn::SGDOptions{.learning_rate = 0.01},
                              operations_of_step(forward, first), options);
}

Workload lenet(const WorkloadOptions& options) {
  const std::int64_t batch = batch_size(options);
  const double first = convolution(batch * 28 * 28, 5, 1, 6);
  const double forward = first + convolution(batch * 10 * 10, 5, 6, 16) +
                         static_cast<double>(batch) * (400. * 120 + 120 * 84 + 84 * 10);
  return workload_of<nn::SGD>(
      []<class Scalar>(Scalar) { return models::LeNet<Scalar>(); }, {{batch, 28, 28, 1}, batch, 10},
      nn::SGDOptions{.learning_rate = 0.01}, operations_of_step(forward, first), options);
}

}  // namespace ddx::bench
