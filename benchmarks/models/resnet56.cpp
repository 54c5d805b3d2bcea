#include "ddx/models/residual_network.h"
#include "ddx/nn/optimizers/sgd.h"
#include "ddx/tensor/options.h"

#include "multiplications.h"
#include "training.h"
#include "workloads.h"

#include <cstdint>

namespace ddx::bench {
namespace {

/// The options that determine its extents.
struct Size {
  std::int64_t batch;
  std::int64_t picture;
  std::int64_t blocks;  ///< In each stage.
};

/// The library's network with symmetric padding, as in the peers' convolutions; Padding::Same pads
/// at the end of an image that is halved.
template <class Scalar>
models::ResidualNetwork<Scalar> padded_alike(std::int64_t blocks) {
  models::ResidualNetwork<Scalar> model({.blocks = blocks});
  for (auto& block : model.blocks) {
    block.conv1.window.padding = Padding::amounts(1, 1, 1, 1);
  }
  return model;
}

double operations(const Size& size) {
  double places = static_cast<double>(size.batch * size.picture * size.picture);
  const double first = places * 9 * 3 * 16;
  double forward = first;
  double in = 16;
  for (const double out : {16., 32., 64.}) {
    places /= out == in ? 1 : 4;
    forward += places * 9 * out * (in + out * static_cast<double>(2 * size.blocks - 1));
    in = out;
  }
  return operations_of_step(forward + static_cast<double>(size.batch) * 64 * 10, first);
}

}  // namespace

Workload resnet56(const WorkloadOptions& options) {
  const Size size = options.small ? Size{8, 16, 2} : Size{128, 32, 9};
  return workload_of<nn::SGD>(
      [&]<class Scalar>(Scalar) { return padded_alike<Scalar>(size.blocks); },
      {{size.batch, size.picture, size.picture, 3}, size.batch, 10},
      nn::SGDOptions{.learning_rate = 0.01, .momentum = 0.9, .weight_decay = 1e-4},
      operations(size), options);
}

}  // namespace ddx::bench
