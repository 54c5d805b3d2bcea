// ResNet-20 learns to classify small colour images, which are shifted and mirrored at random in
// each epoch. If the program is killed, start it again with the same options: it resumes from its
// last checkpoint and ends with the same bits.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ddx/ddx.h>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iostream>
#include <string>
#include <utility>

namespace {

namespace data = ddx::data;
namespace train = ddx::train;
using Model = ddx::models::ResidualNetwork<float>;
using Training = train::Training<Model, ddx::nn::SGD<Model>>;

struct Settings {
  std::filesystem::path data = "data/cifar-10";
  std::filesystem::path output = "resnet_cifar10";
  std::int64_t epochs = 20;
  std::int64_t batch_size = 128;
  std::int64_t blocks = 3;
  std::int64_t width = 16;
  double learning_rate = 0.1;
  std::uint64_t seed = 1;
  std::string device = "cpu";
};

/// The options that determine the result: a training can only be resumed with the same ones.
std::string identity(const Settings& settings) {
  return fmt::format("{} epochs, batches of {}, {} blocks, width {}, rate {}, seed {}, device {}",
                     settings.epochs, settings.batch_size, settings.blocks, settings.width,
                     settings.learning_rate, settings.seed, settings.device);
}

/// The images padded by four black pixels, cropped at random, and half of them mirrored.
data::ImageBatch shifted_and_mirrored(data::ImageBatch batch, ddx::RandomKey key) {
  const auto [for_crop, for_flip] = key.split();
  const auto& shape = batch.images.shape();
  batch.images = data::random_crop(batch.images,
                                   {.height = shape[1], .width = shape[2], .padding = 4}, for_crop);
  batch.images = data::random_flip(batch.images, for_flip);
  return batch;
}

int run(const Settings& settings) {
  auto sets = data::read_cifar10(settings.data);
  const ddx::Device device = ddx::device_named(settings.device).value();
  const data::ImageDataset training_set(std::move(sets.training),
                                        {.mean = 0.47F, .deviation = 0.25F, .device = device});
  const data::ImageDataset test_set(std::move(sets.test),
                                    {.mean = 0.47F, .deviation = 0.25F, .device = device});
  const data::Augmented augmented(training_set, shifted_and_mirrored);
  const std::int64_t steps = settings.epochs * (training_set.size() / settings.batch_size);

  Model model({.blocks = settings.blocks, .width = settings.width});
  const auto [for_model, for_training] = ddx::RandomKey(settings.seed).split();
  ddx::nn::initialize(model, for_model);
  ddx::nn::move_to(model, device);
  Training training{model, ddx::nn::SGD(model, {.momentum = 0.9, .weight_decay = 5e-4})};
  const train::Remarks remarks{{"options", identity(settings)}};
  if (const auto file = train::resume_latest(training, settings.output, remarks)) {
    std::cout << "goes on from " << file->string() << std::endl;
  }

  ddx::io::prepare_folder(settings.output, "output");
  train::CsvLog log(settings.output / "history.csv");
  const train::Recorder recorder(
      {.statistics = {train::loss_statistic(), train::statistic("accuracy", train::Accuracy())},
       .sinks = {log.sink()}});
  train::fit(
      training, train::Sets{augmented, test_set},
      train::Supervised{&data::ImageBatch::images, &data::ImageBatch::labels,
                        [](const auto& scores, const auto& labels) {
                          return ddx::softmax_cross_entropy(scores, labels);
                        }},
      {.epochs = settings.epochs,
       .batch_size = settings.batch_size,
       .key = for_training,
       .drop_last = true},
      {train::schedule_learning_rate(
           training.optimizer, ddx::nn::OneCycle({.peak = settings.learning_rate,
                                                  .steps = std::max<std::int64_t>(steps, 2)})),
       train::show_progress(std::cout), recorder.events(),
       train::keep_checkpoints(training, settings.output,
                               {.every_steps = 20, .remarks = remarks})});

  const auto predicted = train::predicted_classes(training.model, test_set, test_set.size());
  std::printf("test accuracy: %.2f %%\n",
              100 * train::accuracy(predicted, test_set.images().labels));
  return 0;
}

}  // namespace

int main(int count, char** words) {
  Settings settings;
  CLI::App app("Trains a residual network on CIFAR-10.", "07_resnet_cifar10");
  const auto whole = CLI::Range(std::int64_t{1}, std::int64_t{1} << 20);
  app.add_option("--data", settings.data, "folder of data_batch_1.bin, ..., test_batch.bin");
  app.add_option("--output", settings.output, "where the checkpoints go");
  app.add_option("--epochs", settings.epochs, "how many times to go through the pictures")
      ->check(whole);
  app.add_option("--batch-size", settings.batch_size, "pictures per step")->check(whole);
  app.add_option("--blocks", settings.blocks, "of each stage; 3 for ResNet-20")->check(whole);
  app.add_option("--width", settings.width, "channels of the first stage")->check(whole);
  app.add_option("--learning-rate", settings.learning_rate, "the largest of the schedule")
      ->check(CLI::PositiveNumber);
  app.add_option("--seed", settings.seed, "same seed, same result, bit for bit");
  app.add_option("--device", settings.device, "naive, cpu, lazy or pjrt:NAME")
      ->check(CLI::Validator(
          [](const std::string& name) {
            return ddx::device_named(name) ? std::string()
                                           : fmt::format("'{}' is no device; there are {}", name,
                                                         fmt::join(ddx::device_names(), ", "));
          },
          "DEVICE"));
  try {
    app.parse(count, words);
    return run(settings);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const ddx::Error& error) {
    std::cerr << "resnet_cifar10: " << error.what() << '\n';
    return 2;
  }
}
