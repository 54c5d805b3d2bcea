// LeNet-5 learns to read handwritten digits. The compiler differentiates the loss with respect to
// the whole model, from the ordinary C++ of its layers, and ddx::train::fit calls that gradient in
// each step. The rest is what a training program needs: options, progress, checkpoints, a picture.

#include "05_lenet_mnist/command_line.h"
#include "05_lenet_mnist/settings.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ddx/backend/pjrt.h>
#include <ddx/ddx.h>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <optional>
#include <span>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace lenet_mnist {
namespace {

using Model = ddx::models::LeNet<float>;
using Training = ddx::train::Training<Model, ddx::nn::SGD<Model>>;

constexpr int exit_wrong_input = 2;
constexpr int exit_interrupted = 130;

volatile std::sig_atomic_t interrupted = 0;

/// Ctrl-C stops the training at its next step; a second one ends the program at once.
void catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = [](int) { interrupted = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
}

void say(const std::string& line) {
  std::cout << line << std::endl;
}

/// The data sets and their preprocessing.
struct Digits {
  ddx::data::ImageDataset training;
  ddx::data::ImageDataset test;
};

/// Throws: ddx::EnvironmentError if the files are missing or damaged, or contain other images.
///         CommandLineError if a batch would need more images than there are.
Digits read_digits(const std::filesystem::path& folder, const Settings& settings) {
  auto sets = ddx::data::read_mnist(folder);
  for (const auto* images : {&sets.training, &sets.test}) {
    if (images->height != 28 || images->width != 28) {
      throw ddx::EnvironmentError(
          "read_mnist", fmt::format("images in {} have {} by {} points, LeNet-5 takes 28 by 28",
                                    folder.string(), images->height, images->width));
    }
  }
  if (settings.batch_size > sets.training.size()) {
    throw CommandLineError(fmt::format("--batch-size: {} is more than the {} training images",
                                       settings.batch_size, sets.training.size()));
  }
  const ddx::Device place = place_of(settings);
  return {.training = {std::move(sets.training), {.device = place}},
          .test = {std::move(sets.test), {.device = place}}};
}

Training new_training(const Settings& settings) {
  Model model;
  ddx::nn::initialize(model, ddx::RandomKey(settings.seed).fold_in(0));
  ddx::nn::move_to(model, place_of(settings));
  return {.model = model, .optimizer = ddx::nn::SGD(model, {.momentum = 0.9})};
}

/// A batch, sharded over the devices of a mesh; a last one that does not divide evenly is
/// replicated.
template <class Scalar>
ddx::Tensor<Scalar> divided(const ddx::Tensor<Scalar>& batch) {
  if (batch.device().kind() != ddx::Device::Kind::Mesh) {
    return batch;
  }
  const ddx::Mesh mesh = ddx::Mesh::of(batch.device());
  return batch.shape()[0] % mesh.extent("data") == 0 ? ddx::shard(batch, mesh, {"data"}) : batch;
}

/// Trains to the last epoch or to an interruption. Writes the checkpoint after each epoch and at
/// the end.
ddx::train::Outcome train(Training& training, const Digits& digits, const Settings& settings,
                          const std::filesystem::path& checkpoint) {
  const bool is_terminal = isatty(STDOUT_FILENO) == 1;
  std::optional<ddx::train::Progress> progress;
  const auto title = [&](std::int64_t epoch) {
    return fmt::format("epoch {}/{}", epoch, settings.epochs);
  };
  ddx::train::Events events;
  events.batch_begins = [&](ddx::train::Loop& loop) {
    if (interrupted != 0) {
      loop.cancel(ddx::train::Scope::Fit);
    }
    // A decaying learning rate that depends only on the position, so that a resumed training
    // agrees.
    training.optimizer.options.learning_rate =
        settings.learning_rate * std::pow(0.8, static_cast<double>(loop.position().epoch));
  };
  events.batch_ended = [&](ddx::train::Loop& loop) {
    if (!progress) {
      progress.emplace(std::cout, is_terminal, title(loop.epoch()), loop.batches());
    }
    progress->show(loop.batch(), fmt::format("loss {:.4f}", loop.mean_loss()));
  };
  events.epoch_ended = [&](ddx::train::Loop& loop) {
    progress->clear();
    progress.reset();
    const auto predicted =
        ddx::train::predicted_classes(training.model, digits.test, digits.test.size());
    say(fmt::format("{}: loss {:.4f}, accuracy {:.2f} %", title(loop.epoch()), loop.mean_loss(),
                    100 * ddx::train::accuracy(predicted, digits.test.images().labels)));
    ddx::train::save_checkpoint(checkpoint, training, remarks_of(settings));
  };
  const auto outcome = ddx::train::fit(
      training, digits.training,
      [](const auto& model, const auto& batch) {
        return ddx::softmax_cross_entropy(model(divided(batch.images)), divided(batch.labels));
      },
      {.epochs = settings.epochs,
       .batch_size = settings.batch_size,
       .key = ddx::RandomKey(settings.seed).fold_in(1)},
      events);
  if (progress) {
    progress->clear();
  }
  ddx::train::save_checkpoint(checkpoint, training, remarks_of(settings));
  return outcome;
}

/// Draws the first test images with the model's predictions.
void write_picture(const std::filesystem::path& file, const ddx::data::LabelledImages& images,
                   std::span<const std::int32_t> predicted) {
  const auto shown = predicted.first(std::min<std::size_t>(predicted.size(), 100));
  ddx::io::write_png(file, ddx::train::prediction_sheet(images, shown));
}

int run(const CommandLine& given) {
  const auto settings = given.resume
                            ? settings_of(given, ddx::io::read_safetensors(*given.resume).metadata)
                            : settings_of(given);
  if (settings.devices > 1 && settings.device.platform() == "cpu") {
    ddx::backend::set_pjrt_options("cpu", {.cpu_device_count = settings.devices});
  }
  const auto digits = read_digits(given.data, settings);
  auto training = new_training(settings);
  if (given.resume) {
    ddx::train::load_checkpoint(*given.resume, training);
  }
  ddx::io::prepare_folder(given.output, "output");
  const auto checkpoint = given.output / "lenet.safetensors";
  const auto picture = given.output / "predictions.png";

  say(
      fmt::format("LeNet-5 on {} images: epochs {}, batch size {}, learning rate {}, device {}, "
                  "seed {}",
                  digits.training.size(), settings.epochs, settings.batch_size,
                  settings.learning_rate, to_string(place_of(settings)), settings.seed));
  catch_interrupts();
  if (train(training, digits, settings, checkpoint) == ddx::train::Outcome::Stopped) {
    say(fmt::format("interrupted in epoch {}, after {} steps of it; to continue: --resume {}",
                    training.position.epoch + 1, training.position.step, checkpoint.string()));
    return exit_interrupted;
  }
  const auto predicted =
      ddx::train::predicted_classes(training.model, digits.test, digits.test.size());
  write_picture(picture, digits.test.images(), predicted);
  say("checkpoint: " + checkpoint.string());
  say("predictions: " + picture.string());
  say(fmt::format("test accuracy: {:.2f} %",
                  100 * ddx::train::accuracy(predicted, digits.test.images().labels)));
  return 0;
}

}  // namespace
}  // namespace lenet_mnist

int main(int count, char** words) {
  const auto complain = [](const std::exception& error) {
    std::cerr << "lenet_mnist: " << error.what() << '\n';
    return lenet_mnist::exit_wrong_input;
  };
  try {
    const auto given = lenet_mnist::parse_command_line(count, words);
    if (!given.help.empty()) {
      std::cout << given.help;
      return 0;
    }
    return lenet_mnist::run(given);
  } catch (const lenet_mnist::CommandLineError& error) {
    return complain(error);
  } catch (const ddx::Error& error) {
    return complain(error);
  }
}
