// A small Llama from scratch: rotated queries and keys, keys that two heads share, gated layers.
// It learns a text letter by letter and writes one of its own: with a cache, which computes each
// place once, and without, the same letters. The folder that it saves is one of transformers:
// read_by_transformers.py compares the logits.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <ddx/core/file.h>
#include <ddx/ddx.h>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace {

namespace data = ddx::data;
using Model = ddx::models::Decoder<float>;

struct Settings {
  std::filesystem::path text;
  std::filesystem::path output = "llama";
  std::int64_t steps = 1500;
  std::int64_t batch_size = 32;
  std::int64_t context = 128;
  std::int64_t blocks = 4;
  std::int64_t features = 128;
};

ddx::Tensor<float> loss(const Model& model, const ddx::Tensor<std::int32_t>& inputs,
                        const ddx::Tensor<std::int32_t>& targets) {
  const auto scores = model(inputs);
  const auto letters = static_cast<std::int64_t>(targets.count());
  return ddx::softmax_cross_entropy(ddx::reshape(scores, {letters, scores.shape()[2]}),
                                    ddx::reshape(targets, {letters}));
}

double mean_loss(const Model& model, const data::TokenWindows& windows) {
  double sum = 0;
  for (const auto& batch : data::Epoch(windows, 16, data::plain_order(windows.size()))) {
    sum += static_cast<double>(loss(model, batch.inputs, batch.targets).item() *
                               static_cast<float>(batch.inputs.shape()[0]));
  }
  return sum / static_cast<double>(windows.size());
}

void train(Model& model, const data::TokenWindows& windows, const Settings& settings) {
  ddx::nn::AdamW optimizer(model, {.weight_decay = 0.1});
  const ddx::nn::CosineDecay rate({.initial = 5e-3, .end = 5e-4, .steps = settings.steps});
  auto order = data::shuffled_order(windows.size(), ddx::RandomKey(2));
  while (std::ssize(order) < settings.steps * settings.batch_size) {
    order.insert(order.end(), order.begin(), order.end());
  }
  for (std::int64_t step = 0; step < settings.steps; ++step) {
    const auto batch =
        windows.batch(std::span(order).subspan(static_cast<std::size_t>(step * settings.batch_size),
                                               static_cast<std::size_t>(settings.batch_size)));
    optimizer.options.learning_rate = rate(step);
    const auto [value, slope] = ddx::value_with_gradient(
        [&](const Model& m) { return loss(m, batch.inputs, batch.targets); }, model);
    optimizer.update(model, slope);
    if (step % 50 == 0) {
      std::printf("step %lld: %.3f\n", static_cast<long long>(step),
                  static_cast<double>(value.item()));
    }
  }
}

/// The likeliest letters behind others, all places computed for each.
std::vector<std::int32_t> without_cache(const Model& model, std::vector<std::int32_t> letters,
                                        std::int64_t count) {
  const auto beginning = std::ssize(letters);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto scores = model({{1, std::ssize(letters)}, std::span<const std::int32_t>(letters)});
    const auto last = ddx::slice(scores, {.start = {0, -1, 0}});
    letters.push_back(static_cast<std::int32_t>(ddx::argmax(last, -1).item()));
  }
  return {letters.begin() + beginning, letters.end()};
}

int run(const Settings& settings) {
  const auto bytes = ddx::read_file(settings.text, "text");
  const std::vector<std::int32_t> letters(bytes.begin(), bytes.end());
  const auto middle = letters.end() - std::ssize(letters) / 10;
  const data::TokenWindows training({letters.begin(), middle}, {.length = settings.context});
  const data::TokenWindows validation({middle, letters.end()},
                                      {.length = settings.context, .stride = settings.context});
  Model model({.vocabulary = 256,
               .context = settings.context,
               .blocks = settings.blocks,
               .features = settings.features,
               .hidden = settings.features * 2,
               .heads = 4,
               .key_heads = 2,
               .tied_head = true});
  ddx::nn::initialize(model, ddx::RandomKey(1));
  train(model, training, settings);

  const std::string start = "The License";
  const std::vector<std::int32_t> prompt(start.begin(), start.end());
  const auto written = ddx::models::generate(model, prompt, {.count = 100, .greedy = true});
  const bool same = written == without_cache(model, prompt, 100);
  std::printf("---\n%s%s\n---\n%s\n", start.c_str(),
              std::string(written.begin(), written.end()).c_str(),
              same ? "the same letters with cache and without" : "the cache changes the letters");

  ddx::models::save_pretrained(model, settings.output);
  const auto some = validation.batch(data::plain_order(1)).inputs;
  ddx::io::write_npy(settings.output / "tokens.npy", ddx::io::to_stored(some));
  ddx::io::write_npy(settings.output / "logits.npy", ddx::io::to_stored(model(some)));
  std::printf("validation loss: %.3f nats per letter\n", mean_loss(model, validation));
  return same ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  Settings settings;
  CLI::App app("Trains a Llama on a text, letter by letter.", "304_llama_from_scratch");
  const auto whole = CLI::Range(std::int64_t{1}, std::int64_t{1} << 20);
  app.add_option("text", settings.text, "the text, a file")->required();
  app.add_option("--output", settings.output, "where the model goes");
  app.add_option("--steps", settings.steps, "how many batches to learn from")->check(whole);
  app.add_option("--batch-size", settings.batch_size, "runs of letters per step")->check(whole);
  app.add_option("--context", settings.context, "letters of a run")->check(whole);
  app.add_option("--blocks", settings.blocks, "blocks of the model")->check(whole);
  app.add_option("--features", settings.features, "numbers per letter, a multiple of 8")
      ->check(whole);
  CLI11_PARSE(app, count, words);
  try {
    return run(settings);
  } catch (const ddx::Error& error) {
    std::fprintf(stderr, "llama_from_scratch: %s\n", error.what());
    return 2;
  }
}
