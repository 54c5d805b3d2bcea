// The whole path on both devices: reader, batches, LeNet-5, its compiled gradient, optimiser.

#include "ddx/core/device.h"
#include "ddx/core/random_key.h"
#include "ddx/data/image_dataset.h"
#include "ddx/data/sets/mnist.h"
#include "ddx/models/lenet.h"
#include "ddx/nn/optimizers/sgd.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/softmax.h"
#include "ddx/train/events.h"
#include "ddx/train/fit.h"
#include "ddx/train/loop.h"
#include "ddx/train/training.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <vector>

namespace ddx {
namespace {

constexpr std::size_t steps = 20;

/// The losses of the first steps of a training on MNIST.
std::vector<double> first_losses(const data::LabelledImages& images, Device device) {
  const data::ImageDataset digits(images, {.device = device});
  models::LeNet<float> model;
  nn::initialize(model, RandomKey(1));
  nn::move_to(model, device);
  train::Training training{model, nn::SGD(model, {.learning_rate = 0.05, .momentum = 0.9})};
  std::vector<double> losses;
  train::Events events;
  events.batch_ended = [&](train::Loop& loop) {
    losses.push_back(loop.loss());
    if (losses.size() == steps) {
      loop.cancel(train::Scope::Fit);
    }
  };
  fit(
      training, digits,
      [](const auto& m, const auto& batch) {
        return softmax_cross_entropy(m(batch.images), batch.labels);
      },
      {.epochs = 1, .batch_size = 32, .key = RandomKey(2)}, events);
  return losses;
}

TEST(FirstLosses, NaiveAndCpuAgreeAsRoundingAllows) {
  const auto images = data::read_mnist(DDX_MNIST).training;
  const auto naive = first_losses(images, Device::naive());
  const auto cpu = first_losses(images, Device::cpu());
  ASSERT_EQ(naive.size(), steps);
  ASSERT_EQ(cpu.size(), steps);
  for (std::size_t step = 0; step < steps; ++step) {
    // A wrong gradient shows in the second loss. Later, rounding decides which of two nearly equal
    // elements a pooling takes, and the difference grows: weights moved by one unit in their last
    // place change the naive losses by 1e-5 in step 7, by 3e-3 in step 18.
    const double tolerance = step < 6 ? 1e-6 : 2e-2;
    EXPECT_NEAR(cpu[step], naive[step], tolerance * naive[step]) << "step " << step + 1;
  }
  // It learns: ten classes by chance cost log 10 = 2.303.
  EXPECT_GT(naive.front(), 2.2);
  EXPECT_LT(naive.back(), 2.0);
}

}  // namespace
}  // namespace ddx
