// LeNet-5 learns to read digits, in one process or in several that share each batch:
//
//   10_data_parallel                 one process
//   mpirun -n 4 10_data_parallel     four, here or on other machines: the same losses
//
// If it is killed, start it again with the same options and any number of processes: it resumes
// from its last checkpoint.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <ddx/ddx.h>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <string>
#include <utility>

namespace {

namespace data = ddx::data;
namespace train = ddx::train;
using ddx::distributed::ProcessGroup;
using Model = ddx::models::LeNet<float>;
using Training = train::Training<Model, ddx::nn::SGD<Model>>;

struct Settings {
  std::filesystem::path data = "data/mnist";
  std::filesystem::path output = "data_parallel";
  std::int64_t epochs = 4;
  std::int64_t batch_size = 64;
  double learning_rate = 0.02;
  std::uint64_t seed = 1;
  std::string device = "cpu";
};

/// The options that determine the result, for checkpoints; the number of processes does not.
train::Remarks remarks_of(const Settings& settings) {
  return {{"options", fmt::format("batches of {}, rate {}, seed {}", settings.batch_size,
                                  settings.learning_rate, settings.seed)}};
}

void run(const Settings& settings, const ProcessGroup& group) {
  auto sets = data::read_mnist(settings.data);
  const ddx::Device device = ddx::device_named(settings.device).value();
  const data::ImageDataset training_set(std::move(sets.training), {.device = device});
  const data::ImageDataset test_set(std::move(sets.test), {.device = device});

  Model model;
  const auto [for_model, for_training] = ddx::RandomKey(settings.seed).split();
  ddx::nn::initialize(model, for_model);
  ddx::nn::move_to(model, device);
  Training training{
      model, ddx::nn::SGD(model, {.learning_rate = settings.learning_rate, .momentum = 0.9})};
  const auto remarks = remarks_of(settings);
  // The first process reads and writes files; fit sends the loaded state to the others.
  if (group.is_first()) {
    if (const auto file = train::resume_latest(training, settings.output, remarks)) {
      std::cout << "goes on from " << file->string() << std::endl;
    }
  }
  const auto accuracy = train::statistic("accuracy", train::Accuracy(), group);
  train::fit(
      training, train::Sets{training_set, test_set},
      train::Supervised{&data::ImageBatch::images, &data::ImageBatch::labels,
                        [](const auto& scores, const auto& labels) {
                          return ddx::softmax_cross_entropy(scores, labels);
                        }},
      {.epochs = settings.epochs,
       .batch_size = settings.batch_size,
       .key = for_training,
       .group = group},
      {train::on_first(group,
                       [&] {
                         return train::keep_checkpoints(training, settings.output,
                                                        {.every_steps = 20, .remarks = remarks});
                       }),
       {.validation_begins = [&](train::Loop&) { accuracy.reset(); },
        .batch_ended =
            [&](train::Loop& loop) {
              if (loop.phase() == train::Phase::Validation) {
                accuracy.accumulate(loop);
              }
            },
        .epoch_ended =
            [&](train::Loop& loop) {
              const double share = accuracy.measure();  // All processes take part.
              if (group.is_first()) {
                std::printf("epoch %d: loss %.5f, validation loss %.5f, test accuracy: %.2f %%\n",
                            static_cast<int>(loop.epoch()), loop.mean_loss(),
                            loop.validation_loss().value(), 100 * share);
                std::fflush(stdout);
              }
            }}});
}

}  // namespace

int main(int count, char** words) {
  Settings settings;
  CLI::App app("Trains LeNet-5 on MNIST, alone or as processes of mpirun.", "10_data_parallel");
  const auto whole = CLI::Range(std::int64_t{1}, std::int64_t{1} << 20);
  app.add_option("--data", settings.data, "folder of the four IDX files");
  app.add_option("--output", settings.output, "where the checkpoints go");
  app.add_option("--epochs", settings.epochs, "how many times to go through the images")
      ->check(whole);
  app.add_option("--batch-size", settings.batch_size, "images per step, of all processes")
      ->check(whole);
  app.add_option("--learning-rate", settings.learning_rate, "step length")
      ->check(CLI::PositiveNumber);
  app.add_option("--seed", settings.seed, "same seed, same result");
  app.add_option("--device", settings.device, "naive, cpu or lazy")
      ->check(CLI::IsMember(ddx::device_names()));
  try {
    app.parse(count, words);
    run(settings, ddx::distributed::join_group());
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const ddx::Error& error) {
    std::cerr << fmt::format("data_parallel: {}\n", error.what());
    return 2;
  }
}
