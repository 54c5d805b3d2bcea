#include "resnet18.h"

#include "ddx/nn/optimizers/sgd.h"

#include "multiplications.h"
#include "training.h"
#include "workloads.h"

#include <cstdint>

namespace ddx::bench {
namespace {

double operations(std::int64_t batch, std::int64_t picture, const ResNet18Options& model) {
  const std::int64_t kernel = model.large_pictures ? 7 : 3;
  std::int64_t side = model.large_pictures ? picture / 2 : picture;
  const double first = convolution(batch * side * side, kernel, 3, model.width);
  double forward = first;
  side /= model.large_pictures ? 2 : 1;
  std::int64_t in = model.width;
  for (const std::int64_t factor : {1, 2, 4, 8}) {
    const std::int64_t out = factor * model.width;
    side /= in == out ? 1 : 2;
    const std::int64_t places = batch * side * side;
    forward += convolution(places, 3, in, out) + 3 * convolution(places, 3, out, out);
    forward += in == out ? 0 : convolution(places, 1, in, out);
    in = out;
  }
  return operations_of_step(forward + static_cast<double>(batch * in * model.classes), first);
}

Workload of(std::int64_t batch, std::int64_t picture, const ResNet18Options& model,
            const WorkloadOptions& options) {
  return workload_of<nn::SGD>([&]<class Scalar>(Scalar) { return ResNet18<Scalar>(model); },
                              {{batch, picture, picture, 3}, batch, model.classes},
                              nn::SGDOptions{.learning_rate = 0.01, .momentum = 0.9},
                              operations(batch, picture, model), options);
}

}  // namespace

Workload resnet18(const WorkloadOptions& options) {
  return options.small ? of(8, 16, {.width = 16}, options) : of(32, 32, {}, options);
}

Workload resnet18_224(const WorkloadOptions& options) {
  if (options.small) {
    return of(4, 64, {.width = 16, .large_pictures = true}, options);
  }
  return of(32, 224, {.large_pictures = true, .classes = 1000}, options);
}

}  // namespace ddx::bench
