#include "lenet_epoch.h"

#include "ddx/ad.h"
#include "ddx/core/device.h"
#include "ddx/core/random_key.h"
#include "ddx/data/image_dataset.h"
#include "ddx/data/sets/mnist.h"
#include "ddx/models/lenet.h"
#include "ddx/nn/optimizers/sgd.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor.h"
#include "ddx/train/events.h"
#include "ddx/train/fit.h"
#include "ddx/train/predictions.h"
#include "ddx/train/training.h"

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace ddx::bench {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(EpochTime, device, steps, first_step_s, rest_s,
                                                accuracy)

EpochTime lenet_epoch(const std::filesystem::path& data, const std::string& device) {
  using Clock = std::chrono::steady_clock;
  using Model = models::LeNet<float>;
  const Device place = device_named(device).value();
  auto sets = data::read_mnist(data);
  const data::ImageDataset digits(std::move(sets.training), {.device = place});
  const data::ImageDataset test(std::move(sets.test), {.device = place});
  Model model;
  nn::initialize(model, RandomKey(1));
  nn::move_to(model, place);
  train::Training<Model, nn::SGD<Model>> training{
      .model = model, .optimizer = nn::SGD(model, {.learning_rate = 0.1, .momentum = 0.9})};
  EpochTime result{.device = device};
  const auto begin = Clock::now();
  auto first = begin;
  train::Events events;
  events.batch_ended = [&](train::Loop&) {
    if (result.steps++ == 0) {
      (void)training.model.classifier.bias.elements();
      first = Clock::now();
    }
  };
  (void)train::fit(
      training, digits,
      [](const auto& m, const auto& batch) {
        return softmax_cross_entropy(m(batch.images), batch.labels);
      },
      {.epochs = 1, .batch_size = 128, .key = RandomKey(2), .drop_last = true}, events);
  (void)training.model.classifier.bias.elements();
  result.first_step_s = std::chrono::duration<double>(first - begin).count();
  result.rest_s = std::chrono::duration<double>(Clock::now() - first).count();
  const auto predicted = train::predicted_classes(training.model, test, test.size());
  result.accuracy = train::accuracy(predicted, test.images().labels);
  return result;
}

std::string to_json(const EpochTime& time) {
  return nlohmann::json(time).dump();
}

}  // namespace ddx::bench
