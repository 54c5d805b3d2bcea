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

constexpr std::int64_t batch_size = 128;

}  // namespace

Workload mlp(const WorkloadOptions& options) {
  constexpr double first = batch_size * 784. * 512;
  constexpr double forward = first + batch_size * (512. * 512 + 512 * 10);
  return workload_of<nn::SGD>(
      []<class Scalar>(Scalar) { return Mlp<Scalar>(); }, {{batch_size, 784}, batch_size, 10},
      nn::SGDOptions{.learning_rate = 0.01}, operations_of_step(forward, first), options);
}

Workload lenet(const WorkloadOptions& options) {
  constexpr double first = convolution(batch_size * 28 * 28, 5, 1, 6);
  constexpr double forward = first + convolution(batch_size * 10 * 10, 5, 6, 16) +
                             batch_size * (400. * 120 + 120 * 84 + 84 * 10);
  return workload_of<nn::SGD>([]<class Scalar>(Scalar) { return models::LeNet<Scalar>(); },
                              {{batch_size, 28, 28, 1}, batch_size, 10},
                              nn::SGDOptions{.learning_rate = 0.01},
                              operations_of_step(forward, first), options);
}

}  // namespace ddx::bench
