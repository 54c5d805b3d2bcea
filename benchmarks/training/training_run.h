/// \file
/// A training, alone and fed by its input pipeline.

#pragma once

#include "ddx/ad.h"
#include "ddx/backend/loop_compilation.h"
#include "ddx/core/device.h"
#include "ddx/core/random_key.h"
#include "ddx/data/epoch.h"
#include "ddx/data/image_dataset.h"
#include "ddx/data/prefetched.h"
#include "ddx/data/training_epochs.h"
#include "ddx/nn/optimizers/sgd.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor.h"

#include "long_order.h"
#include "row.h"
#include "tables.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ddx::bench {

/// A model in training, on a device.
template <class Model>
class ImageTraining {
 public:
  ImageTraining(Model model, Device device) : model_(std::move(model)), device_(device) {
    nn::initialize(model_, RandomKey(3));
    nn::move_to(model_, device_);
    optimizer_ =
        nn::SGD<Model>(model_, {.learning_rate = 0.02, .momentum = 0.9, .weight_decay = 1e-4});
  }

  /// The loss before the update. The batch is sent to the device first.
  double step(const data::ImageBatch& batch) {
    return step_on_device({.images = batch.images.to(device_), .labels = batch.labels.to(device_)});
  }

  /// The loss before the update, with a batch that is on the device already.
  double step_on_device(const data::ImageBatch& batch) {
    return static_cast<double>(updated(batch.images, batch.labels).item());
  }

 private:
  /// Takes the step, and returns the loss before it. The gradient is gone when that is observed, so
  /// a recording device need not materialise it.
  Tensor<float> updated(const Tensor<float>& images, const Tensor<std::int32_t>& labels) {
    nn::begin_step(model_, RandomKey(4));
    const auto [loss, gradient] = value_with_gradient(
        [&](const Model& m) { return softmax_cross_entropy(m(images), labels); }, model_);
    nn::end_step(model_);
    optimizer_.update(model_, gradient);
    return loss;
  }

  Model model_;
  Device device_;
  nn::SGD<Model> optimizer_{model_, {}};
};

/// The rates of the pipeline alone, of the step alone, and of both together.
template <class Model, data::RandomDataset Data>
[[nodiscard]] std::vector<Row> training_rows(const std::string& name, const Model& model,
                                             const Data& examples, std::int64_t batch_size,
                                             const Setting& setting) {
  const auto row = [&](const std::string& what, bool has_step) {
    return Row{.name = name + "." + what,
               .device = has_step ? to_string(setting.device) : "",
               .threads = setting.threads};
  };
  const data::TrainingEpochs epochs(examples, {.batch_size = batch_size, .order = long_order});
  const auto epoch = epochs[0];
  const data::PrefetchOptions prefetch{.threads = setting.threads, .ahead = 2 * setting.threads};
  std::vector<Row> rows;
  {
    data::Prefetched batches(epoch, 0, epoch.size(), prefetch);
    rows.push_back(measured_rate(row("pipeline", false), setting.seconds, [&] {
      constexpr std::int64_t at_once = 16;
      for (std::int64_t i = 0; i < at_once; ++i) {
        (void)batches.next();
      }
      return at_once * batch_size;
    }));
  }
  constexpr int warm_up = 3;
  ImageTraining<Model> training(model, setting.device);
  const auto first = epoch[0];
  for (int i = 0; i < warm_up; ++i) {
    (void)training.step(first);
  }
  backend::await_loop_compilation();
  rows.push_back(measured_rate(row("step", true), setting.seconds, [&] {
    (void)training.step(first);
    return batch_size;
  }));
  data::Prefetched batches(epoch, 0, epoch.size(), prefetch);
  rows.push_back(measured_rate(row("training", true), setting.seconds, [&] {
    (void)training.step(batches.next().value());
    return batch_size;
  }));
  return rows;
}

}  // namespace ddx::bench
