#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/data/augmented.h"
#include "ddx/data/image_dataset.h"
#include "ddx/data/images/augment.h"
#include "ddx/data/sets/cifar10.h"
#include "ddx/models/residual_network.h"
#include "ddx/tensor.h"

#include "row.h"
#include "tables.h"
#include "training_run.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <numeric>
#include <vector>

namespace ddx::bench {
namespace {

using SmallNetwork = models::ResidualNetwork<float>;

/// Padded by four black points, cropped at random, and half of them mirrored.
data::ImageBatch shifted_and_mirrored(data::ImageBatch batch, RandomKey key) {
  const auto [for_crop, for_flip] = key.split();
  const auto& shape = batch.images.shape();
  batch.images = data::random_crop(batch.images,
                                   {.height = shape[1], .width = shape[2], .padding = 4}, for_crop);
  batch.images = data::random_flip(batch.images, for_flip);
  return batch;
}

data::ImageDataset records(const Setting& setting) {
  return {data::read_cifar10_file(setting.records), {.mean = 0.47F, .deviation = 0.25F}};
}

/// The losses of some steps of a small network on one augmented batch.
std::vector<double> small_losses(const Setting& setting, Device device, int steps) {
  const auto set = records(setting);
  std::array<std::int64_t, 16> samples{};
  std::iota(samples.begin(), samples.end(), std::int64_t{0});
  const auto batch = data::Augmented(set, shifted_and_mirrored).batch(samples, RandomKey(5));
  ImageTraining training(SmallNetwork({.blocks = 1, .width = 8}), device);
  std::vector<double> losses;
  for (int i = 0; i < steps; ++i) {
    losses.push_back(training.step(batch));
  }
  return losses;
}

}  // namespace

void verify_cifar(const Setting& setting) {
  constexpr int steps = 8;
  constexpr int compared = 2;
  const auto expected = small_losses(setting, Device::naive(), compared);
  const auto losses = small_losses(setting, setting.device, steps);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!(std::abs(losses[i] - expected[i]) <= 1e-4 * (1 + expected[i]))) {
      throw InternalError("bench cifar",
                          fmt::format("step {}: the loss on {} is {}, on naive {}", i,
                                      to_string(setting.device), losses[i], expected[i]));
    }
  }
  if (!(losses.back() < losses.front())) {
    throw InternalError("bench cifar", fmt::format("the loss does not fall: {} at first, {} after "
                                                   "{} steps on {}",
                                                   losses.front(), losses.back(), steps,
                                                   to_string(setting.device)));
  }
}

std::vector<Row> cifar_rows(const Setting& setting) {
  constexpr std::int64_t default_batch = 128;
  const auto set = records(setting);
  const data::Augmented augmented(set, shifted_and_mirrored);
  return training_rows("cifar", SmallNetwork({.blocks = 9}), augmented,
                       setting.batch == 0 ? default_batch : setting.batch, setting);
}

}  // namespace ddx::bench
