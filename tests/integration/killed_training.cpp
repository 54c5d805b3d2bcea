// Trains a small model with checkpoints in the folder that the command line names, from the latest
// one there on, and writes the whole training to final.safetensors at the end; for
// killed_training_test.py.

#include "ddx/ad/differentiable.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/layers/batch_norm.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/dropout.h"
#include "ddx/nn/optimizers/adam.h"
#include "ddx/nn/pipe.h"
#include "ddx/nn/visit.h"
#include "ddx/train/checkpoint.h"
#include "ddx/train/fit.h"
#include "ddx/train/keep_checkpoints.h"
#include "ddx/train/training.h"

#include "tests/support/small_training.h"

#include <filesystem>

namespace {

/// Large enough that a checkpoint is written in several pieces of time.
struct WideModel {
  ddx::nn::Dense<float> first{{.in = 2, .out = 256, .activation = ddx::nn::Activation::Tanh}};
  ddx::nn::Dense<float> middle{{.in = 256, .out = 128, .activation = ddx::nn::Activation::Tanh}};
  ddx::nn::BatchNorm<float> norm{{.features = 128, .momentum = 0.5}};
  ddx::nn::Dropout<float> dropout{{.rate = 0.25}};
  ddx::nn::Dense<float> last{{.in = 128, .out = 1}};

  [[nodiscard]] ddx::Tensor<float> operator()(const ddx::Tensor<float>& x) const {
    return x | first | middle | norm | dropout | last;
  }

  DDX_DIFFERENTIABLE(WideModel, first, middle, norm, dropout, last)
};

}  // namespace

int main(int count, char** words) {
  if (count != 2) {
    return 2;
  }
  const std::filesystem::path folder = words[1];
  WideModel model;
  ddx::nn::initialize(model, ddx::RandomKey(1));
  ddx::train::Training training{model, ddx::nn::Adam(model, {.learning_rate = 0.01})};
  if (const auto latest = ddx::train::latest_checkpoint(folder)) {
    (void)ddx::train::load_checkpoint(*latest, training);
  }
  (void)ddx::train::fit(
      training, ddx::testing::SmallData(),
      [](const WideModel& m, const ddx::testing::SmallBatch& batch) {
        return ddx::nn::mean_squared_error(m(batch.x), batch.y);
      },
      {.epochs = 40, .batch_size = 4, .key = ddx::RandomKey(5)},
      {ddx::train::keep_checkpoints(training, folder, {.every_steps = 2, .keep = 2})});
  ddx::train::save_checkpoint(folder / "final.safetensors", training);
}
