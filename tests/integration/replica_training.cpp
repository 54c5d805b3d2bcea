// Trains a small model alone or as one of several processes, and prints the loss of every step on
// the first; for replica_training_test.py.
//
// Usage: replica_training FOLDER MODEL [--device D] [--epochs N] [--timeout MS] [--kill RANK STEP]
//                         [--stop RANK STEP] [--throw RANK STEP] [--shape RANK]
//   FOLDER   checkpoints; the newest is gone on from
//   MODEL    mlp or lenet
//   --kill   this rank kills itself before this step, --stop: stops itself, --throw: throws
//   --shape  this rank has a model of another shape

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/distributed/join_group.h"
#include "ddx/distributed/process_group.h"
#include "ddx/models/lenet.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/losses/mean_squared_error.h"
#include "ddx/nn/optimizers/adam.h"
#include "ddx/nn/optimizers/sgd.h"
#include "ddx/nn/pipe.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/softmax.h"
#include "ddx/train/fit.h"
#include "ddx/train/keep_checkpoints.h"
#include "ddx/train/on_first.h"
#include "ddx/train/training.h"

#include "tests/support/small_training.h"

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace {

using ddx::Tensor;

struct Place {
  std::int64_t rank = -1;
  std::int64_t step = -1;
};

struct Settings {
  std::filesystem::path folder;
  std::string model;
  ddx::Device device = {};
  std::int64_t epochs = 4;
  std::chrono::milliseconds timeout{60000};
  Place kill, stop, fail;
  std::int64_t odd_rank = -1;
};

Settings settings_of(int count, char** words) {
  Settings settings;
  settings.folder = words[1];
  settings.model = words[2];
  for (int i = 3; i < count; ++i) {
    const std::string_view word = words[i];
    const auto number = [&] { return std::strtoll(words[++i], nullptr, 10); };
    const auto place = [&] {
      const std::int64_t rank = number();
      return Place{rank, number()};
    };
    if (word == "--device") {
      settings.device = ddx::device_named(words[++i]).value();
    } else if (word == "--epochs") {
      settings.epochs = number();
    } else if (word == "--timeout") {
      settings.timeout = std::chrono::milliseconds(number());
    } else if (word == "--kill") {
      settings.kill = place();
    } else if (word == "--stop") {
      settings.stop = place();
    } else if (word == "--throw") {
      settings.fail = place();
    } else if (word == "--shape") {
      settings.odd_rank = number();
    } else {
      throw std::invalid_argument(std::string(word));
    }
  }
  return settings;
}

/// Two dense layers: no random numbers, no statistics of batches.
struct Mlp {
  ddx::nn::Dense<float> first{{.in = 2, .out = 16, .activation = ddx::nn::Activation::Tanh}};
  ddx::nn::Dense<float> last{{.in = 16, .out = 1}};

  [[nodiscard]] Tensor<float> operator()(const Tensor<float>& x) const { return x | first | last; }

  DDX_DIFFERENTIABLE(Mlp, first, last)
};

/// Eleven points, in batches of 4: the last one has fewer samples than there are ranks.
struct Points {
  ddx::Device device;
  ddx::testing::SmallData data = {};

  [[nodiscard]] std::int64_t size() const { return data.size(); }
  [[nodiscard]] ddx::testing::SmallBatch batch(std::span<const std::int64_t> samples) const {
    const auto [x, y] = data.batch(samples);
    return {.x = x.to(device), .y = y.to(device)};
  }
};

struct ImageBatch {
  Tensor<float> images;
  Tensor<std::int32_t> labels;
};

/// Waves, to be classified by their length.
struct Waves {
  ddx::Device device;

  [[nodiscard]] std::int64_t size() const { return 36; }
  [[nodiscard]] ImageBatch batch(std::span<const std::int64_t> samples) const {
    std::vector<float> points;
    std::vector<std::int32_t> labels;
    for (const auto sample : samples) {
      const auto label = static_cast<std::int32_t>(sample % 10);
      for (int i = 0; i < 28 * 28; ++i) {
        points.push_back(
            std::sin(static_cast<float>(i * (label + 1)) / 20 + static_cast<float>(sample)));
      }
      labels.push_back(label);
    }
    const auto rows = static_cast<std::int64_t>(samples.size());
    return {.images = Tensor<float>({rows, 28, 28, 1}, std::span<const float>(points), device),
            .labels = Tensor<std::int32_t>({rows}, std::span<const std::int32_t>(labels), device)};
  }
};

/// What goes wrong on purpose.
void misbehave(const Settings& settings, std::int64_t rank, std::int64_t step) {
  const auto is_here = [&](const Place& place) { return place.rank == rank && place.step == step; };
  if (is_here(settings.kill)) {
    std::raise(SIGKILL);
  }
  if (is_here(settings.stop)) {
    std::raise(SIGSTOP);
  }
  if (is_here(settings.fail)) {
    throw ddx::EnvironmentError("read", "no more paper");
  }
}

template <class Model, class Optimizer, class Data, class Objective>
void train(Model model, const Optimizer& optimizer, const Data& data, const Objective& objective,
           std::int64_t batch_size, const Settings& settings,
           const ddx::distributed::ProcessGroup& group) {
  ddx::train::Training<Model, Optimizer> training{model, optimizer};
  if (group.is_first()) {
    (void)ddx::train::resume_latest(training, settings.folder);
  }
  const auto checkpoints = ddx::train::on_first(group, [&] {
    return ddx::train::keep_checkpoints(training, settings.folder, {.every_steps = 1, .keep = 2});
  });
  (void)ddx::train::fit(
      training, data, objective,
      {.epochs = settings.epochs,
       .batch_size = batch_size,
       .key = ddx::RandomKey(5),
       .group = group},
      {{.batch_begins =
            [&](ddx::train::Loop& loop) { misbehave(settings, group.rank(), loop.step() + 1); },
        .batch_ended =
            [&](ddx::train::Loop& loop) {
              if (group.is_first()) {
                std::printf("step %d loss %.9g\n", static_cast<int>(loop.step()), loop.loss());
                std::fflush(stdout);
              }
            }},
       checkpoints});
}

void run(const Settings& settings) {
  const auto group = ddx::distributed::join_group({.timeout = settings.timeout});
  // Other initial values on each rank: those of the first must win.
  const ddx::RandomKey key = ddx::RandomKey(7).fold_in(static_cast<std::uint64_t>(group.rank()));
  if (settings.model == "mlp") {
    Mlp model;
    if (settings.odd_rank == group.rank()) {
      model.first = ddx::nn::Dense<float>({.in = 2, .out = 8});
    }
    ddx::nn::initialize(model, key);
    ddx::nn::move_to(model, settings.device);
    train(
        model, ddx::nn::Adam(model, {.learning_rate = 0.05}), Points{settings.device},
        [](const Mlp& m, const ddx::testing::SmallBatch& batch) {
          return ddx::nn::mean_squared_error(m(batch.x), batch.y);
        },
        4, settings, group);
  } else {
    ddx::models::LeNet<float> model;
    ddx::nn::initialize(model, key);
    ddx::nn::move_to(model, settings.device);
    train(
        model, ddx::nn::SGD(model, {.learning_rate = 0.05, .momentum = 0.9}),
        Waves{settings.device},
        [](const ddx::models::LeNet<float>& m, const ImageBatch& batch) {
          return ddx::softmax_cross_entropy(m(batch.images), batch.labels);
        },
        16, settings, group);
  }
}

}  // namespace

int main(int count, char** words) {
  try {
    run(settings_of(count, words));
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "replica_training: " + std::string(error.what()) + "\n";
    return 2;
  }
}
