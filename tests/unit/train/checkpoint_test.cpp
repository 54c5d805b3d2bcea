#include "ddx/train/checkpoint.h"

#include "ddx/ad/differentiable.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/io/safetensors.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/identity.h"
#include "ddx/nn/layers/one_of.h"
#include "ddx/nn/losses/mean_squared_error.h"
#include "ddx/nn/optimizers/adafactor.h"
#include "ddx/nn/optimizers/adagrad.h"
#include "ddx/nn/optimizers/adam.h"
#include "ddx/nn/optimizers/rmsprop.h"
#include "ddx/nn/optimizers/sgd.h"
#include "ddx/nn/pipe.h"
#include "ddx/train/fit.h"
#include "ddx/train/loop.h"
#include "ddx/train/training.h"

#include "tests/support/small_training.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace ddx::train {
namespace checkpoint_test {

using ddx::testing::message_of;
using ddx::testing::small_loss;
using ddx::testing::SmallData;
using ddx::testing::SmallModel;
using ddx::testing::TemporaryFolder;

const FitOptions options{.epochs = 3, .batch_size = 4, .key = RandomKey(5)};

auto new_training() {
  const SmallModel model;
  return Training{model, nn::Adam(model, {.learning_rate = 0.05})};
}

/// The training after four steps of nine.
template <class AnyTraining>
AnyTraining stopped(AnyTraining training) {
  int steps = 0;
  (void)fit(training, SmallData(), small_loss, options, {.batch_ended = [&](Loop& loop) {
              if (++steps == 4) {
                loop.cancel(Scope::Fit);
              }
            }});
  return training;
}

auto stopped_training() {
  return stopped(new_training());
}

/// Expects that a training that was stopped, saved and loaded ends as one that was not.
template <class AnyTraining>
void expect_same_bits(const AnyTraining& start) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.safetensors";
  auto whole = start;
  (void)fit(whole, SmallData(), small_loss, options);

  save_checkpoint(file, stopped(start), {{"seed", "5"}});
  auto resumed = start;
  EXPECT_EQ(load_checkpoint(file, resumed), (Remarks{{"seed", "5"}}));
  EXPECT_EQ(resumed.position.epoch, 1);
  EXPECT_EQ(resumed.position.step, 1);
  (void)fit(resumed, SmallData(), small_loss, options);

  // Equal files: equal bits of parameters, averages, optimiser and position.
  save_checkpoint(file, whole);
  save_checkpoint(folder.path() / "b.safetensors", resumed);
  EXPECT_EQ(ddx::testing::bytes_of(file), ddx::testing::bytes_of(folder.path() / "b.safetensors"));
}

TEST(Checkpoint, AResumedTrainingEndsWithTheSameBits) {
  expect_same_bits(new_training());
}

TEST(Checkpoint, StatesThatAreNotOfTheParametersShapeAreResumedToo) {
  const SmallModel model;
  expect_same_bits(Training{model, nn::SGD(model)});
  expect_same_bits(Training{model, nn::RMSProp(model, {.centered = true})});
  expect_same_bits(Training{model, nn::Adafactor(model)});
  expect_same_bits(Training{model, nn::AdaGrad(model)});
}

/// A model whose last layer is chosen at run time.
struct ChosenModel {
  nn::Dense<float> first{{.in = 2, .out = 1}};
  nn::OneOf<nn::Identity, nn::Dense<float>> last{nn::Dense<float>({.in = 1, .out = 1})};

  DDX_DIFFERENTIABLE(ChosenModel, first, last)
};

TEST(Checkpoint, AModelWithAChosenLayerIsResumed) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.safetensors";
  const auto loss = [](const ChosenModel& model, const ddx::testing::SmallBatch& batch) {
    return nn::mean_squared_error(batch.x | model.first | model.last, batch.y);
  };
  const ChosenModel model;
  Training whole{model, nn::Adam(model, {.learning_rate = 0.05})};
  (void)fit(whole, SmallData(), loss, {.epochs = 1, .batch_size = 4});
  save_checkpoint(file, whole);
  Training resumed{model, nn::Adam(model, {.learning_rate = 0.05})};
  (void)load_checkpoint(file, resumed);
  (void)fit(whole, SmallData(), loss, {.epochs = 2, .batch_size = 4});
  (void)fit(resumed, SmallData(), loss, {.epochs = 2, .batch_size = 4});
  const auto last_weight = [](const ChosenModel& m) { return std::get<1>(m.last.layer).weight; };
  EXPECT_EQ(last_weight(whole.model), last_weight(resumed.model));
  EXPECT_NE(last_weight(model), last_weight(resumed.model));

  ChosenModel other;
  other.last = nn::Identity();
  Training of_other{other, nn::Adam(other)};
  EXPECT_EQ(ddx::testing::thrown<EnvironmentError>([&] { (void)load_checkpoint(file, of_other); }),
            "load_checkpoint: " + file.string() +
                ": array \"optimizer.mean.last.layer.1.weight\" is f32 [1, 1], the training has "
                "f32 []");
}

TEST(Checkpoint, HoldsEverythingByName) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.safetensors";
  save_checkpoint(file, stopped_training());
  std::vector<std::string> names;
  for (const auto& [name, tensor] : io::read_safetensors(file).tensors) {
    names.push_back(name);
  }
  const std::vector<std::string> parameters = {"first.bias",  "first.weight", "last.bias",
                                               "last.weight", "norm.offset",  "norm.scale"};
  std::vector<std::string> expected;
  for (const std::string part : {"model.", "optimizer.mean.", "optimizer.square."}) {
    for (const auto& name : parameters) {
      expected.push_back(part + name);
    }
  }
  for (const std::string name :
       {"model.norm.running_mean", "model.norm.running_variance", "optimizer.steps",
        "position.epoch", "position.step", "position.samples", "position.loss_sum"}) {
    expected.push_back(name);
  }
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(names, expected);
}

/// The message when this changed file is loaded, without "load_checkpoint: FILE: "; the training
/// must stay as it was.
std::string load_error(const std::function<void(io::TensorFile&)>& change) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.safetensors";
  save_checkpoint(file, stopped_training());
  auto content = io::read_safetensors(file);
  change(content);
  io::write_safetensors(file, content);
  auto training = new_training();
  const auto message = message_of<EnvironmentError>([&] { (void)load_checkpoint(file, training); });
  EXPECT_EQ(training.position, Position());
  EXPECT_EQ(training.model.first.weight, SmallModel().first.weight);
  const std::string start = "load_checkpoint: " + file.string() + ": ";
  return message.starts_with(start) ? message.substr(start.size()) : message;
}

TEST(Checkpoint, MissingForeignAndMisshapenArraysAreRefused) {
  EXPECT_EQ(load_error([](auto& content) { content.tensors.erase("model.norm.running_mean"); }),
            "array \"model.norm.running_mean\" is missing");
  EXPECT_EQ(load_error([](auto& content) { content.tensors["zeta"] = {DType::u8, {}, {1}}; }),
            "array \"zeta\" has no place in the training");
  EXPECT_EQ(load_error([](auto& content) { content.tensors["model.last.bias"].shape = {1, 1}; }),
            "array \"model.last.bias\" is f32 [1, 1], the training has f32 [1]");
  EXPECT_EQ(
      load_error([](auto& content) { content.tensors["model.last.bias"].dtype = DType::i32; }),
      "array \"model.last.bias\" is i32 [1], the training has f32 [1]");
  EXPECT_EQ(
      load_error([](auto& content) { content.tensors["position.epoch"].bytes.assign(8, 255); }),
      "no training stands at epoch -1, step 1, 4 samples");
}

TEST(Checkpoint, EveryTruncationIsRefused) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.safetensors";
  const nn::Dense<double> model{{.in = 1, .out = 1}};
  save_checkpoint(file, Training{model, nn::SGD(model)});
  const auto whole = ddx::testing::bytes_of(file);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto cut = folder.write("cut", std::span(whole).first(length));
    auto training = Training{model, nn::SGD(model)};
    EXPECT_THROW((void)load_checkpoint(cut, training), EnvironmentError) << length;
  }
}

TEST(Checkpoint, EveryChangedByteIsNoticed) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a";
  const auto saved = stopped_training();
  save_checkpoint(file, saved, {{"name", "small"}});
  const auto whole = ddx::testing::bytes_of(file);
  for (std::size_t place = 0; place < whole.size(); ++place) {
    auto bytes = whole;
    bytes[place] = static_cast<std::uint8_t>(bytes[place] ^ (1 << (place % 8)));
    const auto damaged = folder.write("b", bytes);
    auto training = new_training();
    EXPECT_TRUE(message_of<EnvironmentError>([&] {
                  (void)load_checkpoint(damaged, training);
                }).starts_with("read_safetensors: "))
        << place;
  }
}

TEST(Checkpoint, ThatHasNoChecksumIsReadStill) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a";
  const auto saved = stopped_training();
  save_checkpoint(file, saved, {{"name", "small"}});
  io::write_safetensors(folder.path() / "old", io::read_safetensors(file));
  auto training = new_training();
  EXPECT_EQ(load_checkpoint(folder.path() / "old", training), (Remarks{{"name", "small"}}));
  EXPECT_EQ(training.position.step, saved.position.step);
}

}  // namespace checkpoint_test
}  // namespace ddx::train
