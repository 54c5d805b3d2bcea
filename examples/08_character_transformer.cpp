// A small transformer learns to generate text like its input, character by character. If the
// program is killed, start it again with the same options: it resumes from its last checkpoint.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ddx/core/file.h>
#include <ddx/ddx.h>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iostream>
#include <span>
#include <string>
#include <vector>

namespace {

namespace data = ddx::data;
namespace train = ddx::train;
using Model = ddx::models::GPT<float>;
using Training = train::Training<Model, ddx::nn::AdamW<Model>>;

struct Settings {
  std::filesystem::path text;
  std::filesystem::path output = "character_transformer";
  std::int64_t steps = 1000;
  std::int64_t batch_size = 16;
  std::int64_t context = 128;
  std::int64_t blocks = 4;
  std::int64_t features = 128;
  double learning_rate = 1e-3;
  std::uint64_t seed = 1;
  std::int64_t letters = 300;
  std::string device = "cpu";
};

/// The options that determine the result: a training can only be resumed with the same ones.
std::string identity(const Settings& settings) {
  return fmt::format(
      "{} steps, batches of {}, context {}, {} blocks, {} features, rate {}, seed {}, device {}",
      settings.steps, settings.batch_size, settings.context, settings.blocks, settings.features,
      settings.learning_rate, settings.seed, settings.device);
}

/// The bytes of a text in two parts: the last tenth is for validation.
struct Text {
  data::TokenWindows training;
  data::TokenWindows validation;

  Text(const std::vector<std::int32_t>& bytes, std::int64_t context, ddx::Device device)
      : training({bytes.begin(), middle(bytes)}, {.length = context, .device = device}),
        validation({middle(bytes), bytes.end()},
                   {.length = context, .stride = context, .device = device}) {}

  static std::vector<std::int32_t>::const_iterator middle(const std::vector<std::int32_t>& bytes) {
    return bytes.end() - static_cast<std::ptrdiff_t>(bytes.size() / 10);
  }
};

std::vector<std::int32_t> read_bytes(const std::filesystem::path& file) {
  const auto bytes = ddx::read_file(file, "text");
  return {bytes.begin(), bytes.end()};
}

/// The mean of -log p(next character) over all positions.
ddx::Tensor<float> loss_of(const ddx::Tensor<float>& scores,
                           const ddx::Tensor<std::int32_t>& next) {
  const auto places = static_cast<std::int64_t>(next.count());
  const std::int64_t letters = scores.shape()[2];
  return ddx::softmax_cross_entropy(reshape(scores, {places, letters}), reshape(next, {places}));
}

/// The mean over a whole set.
double mean_loss(const Model& model, const data::TokenWindows& windows) {
  double sum = 0;
  for (const auto& batch : data::Epoch(windows, 16, data::plain_order(windows.size()))) {
    sum += loss_of(model(batch.inputs), batch.targets).item() *
           static_cast<double>(batch.inputs.shape()[0]);
  }
  return sum / static_cast<double>(windows.size());
}

int run(const Settings& settings) {
  const ddx::Device device = ddx::device_named(settings.device).value();
  const Text text(read_bytes(settings.text), settings.context, device);
  Model model({.vocabulary = 256,
               .context = settings.context,
               .blocks = settings.blocks,
               .features = settings.features,
               .heads = 4});
  const auto keys = ddx::RandomKey(settings.seed).split(3);
  ddx::nn::initialize(model, keys[0]);
  ddx::nn::move_to(model, device);
  Training training{model, ddx::nn::AdamW(model, {.weight_decay = 0.1})};
  const train::Remarks remarks{{"options", identity(settings)}};
  if (const auto file = train::resume_latest(training, settings.output, remarks)) {
    std::cout << "goes on from " << file->string() << std::endl;
  }

  // An epoch would see each character `context` times; this shows ten of them instead.
  const std::int64_t steps_per_epoch = std::max<std::int64_t>(settings.steps / 10, 1);
  const auto some_runs = [=](std::int64_t count, ddx::RandomKey key) {
    auto order = data::shuffled_order(count, key);
    const auto wanted = static_cast<std::size_t>(steps_per_epoch * settings.batch_size);
    while (order.size() < wanted) {
      order.insert(order.end(), order.begin(), order.end());
    }
    order.resize(wanted);
    return order;
  };
  ddx::io::prepare_folder(settings.output, "output");
  train::CsvLog log(settings.output / "history.csv");
  const train::Recorder recorder({.statistics = {train::loss_statistic()}, .sinks = {log.sink()}});
  const auto warm_up = std::max<std::int64_t>(settings.steps / 20, 1);
  train::fit(
      training, train::Sets{text.training, text.validation},
      train::Supervised{&data::TokenBatch::inputs, &data::TokenBatch::targets,
                        [](const auto& scores, const auto& next) { return loss_of(scores, next); }},
      {.epochs = settings.steps / steps_per_epoch,
       .batch_size = settings.batch_size,
       .key = keys[1],
       .order = some_runs},
      {train::schedule_learning_rate(
           training.optimizer,
           ddx::nn::WarmUp({.steps = warm_up},
                           ddx::nn::CosineDecay(
                               {.initial = settings.learning_rate,
                                .end = settings.learning_rate / 10,
                                .steps = std::max(settings.steps - warm_up, std::int64_t{1})}))),
       train::show_progress(std::cout), recorder.events(),
       train::keep_checkpoints(training, settings.output,
                               {.every_steps = 20, .remarks = remarks})});

  std::cout << "---\n";
  const std::vector<std::int32_t> newline{'\n'};
  for (const auto letter :
       generate(training.model, std::span<const std::int32_t>(newline),
                {.count = settings.letters, .temperature = 0.8, .key = keys[2]})) {
    std::cout << static_cast<char>(letter);
  }
  std::cout << "\n---\n"
            << fmt::format("validation loss: {:.3f} nats per letter",
                           mean_loss(training.model, text.validation))
            << std::endl;
  return 0;
}

}  // namespace

int main(int count, char** words) {
  Settings settings;
  CLI::App app("Trains a transformer on a text, letter by letter.", "08_character_transformer");
  const auto whole = CLI::Range(std::int64_t{1}, std::int64_t{1} << 20);
  app.add_option("text", settings.text, "the text, a file")->required();
  app.add_option("--output", settings.output, "where the checkpoints go");
  app.add_option("--steps", settings.steps, "how many batches to learn from")->check(whole);
  app.add_option("--batch-size", settings.batch_size, "runs of letters per step")->check(whole);
  app.add_option("--context", settings.context, "letters of a run")->check(whole);
  app.add_option("--blocks", settings.blocks, "transformer blocks")->check(whole);
  app.add_option("--features", settings.features, "numbers per letter, a multiple of 4")
      ->check(whole);
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
  app.add_option("--letters", settings.letters, "how many to write at the end")->check(whole);
  try {
    app.parse(count, words);
    return run(settings);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const ddx::Error& error) {
    std::cerr << "character_transformer: " << error.what() << '\n';
    return 2;
  }
}
