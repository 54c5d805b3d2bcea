// Tokens per second of models with random weights, beside what the memory allows.

#include "ddx/backend/lazy.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/models/generation/generate.h"
#include "ddx/models/generation/generate_options.h"
#include "ddx/models/text/decoder.h"
#include "ddx/models/text/gpt2.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor.h"

#include "command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace {

using ddx::Device;
using ddx::Tensor;
using Clock = std::chrono::steady_clock;

/// What the command line asks for.
struct Options {
  bool quick = false;
  std::string only;
  std::filesystem::path json;
};

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// The bytes that one thread reads in a second, of an array that no cache holds.
double memory_speed() {
  const std::vector<std::uint64_t> array(std::size_t{1} << 25U, 1);
  double least = 1e9;
  std::uint64_t sum = 0;
  for (int i = 0; i < 5; ++i) {
    const auto begin = Clock::now();
    for (const std::uint64_t one : array) {
      sum += one;
    }
    least = std::min(least, seconds_since(begin));
  }
  if (sum != 5 * array.size()) {
    throw ddx::InternalError("bench_generate", "a sum is wrong");
  }
  return static_cast<double>(array.size() * sizeof(std::uint64_t)) / least;
}

std::vector<std::int32_t> prompt(std::int64_t count, std::int64_t vocabulary) {
  std::vector<std::int32_t> tokens;
  for (std::int64_t i = 0; i < count; ++i) {
    tokens.push_back(static_cast<std::int32_t>((i * 7919 + 3) % vocabulary));
  }
  return tokens;
}

/// Throws: InternalError where the scores place by place are not those of the whole sequence.
template <class Model>
void verify_scores(const Model& model, double tolerance) {
  constexpr std::int64_t places = 20;
  constexpr std::int64_t beginning = 15;
  const auto tokens = prompt(places, model.vocabulary());
  const auto part = [&](std::int64_t begin, std::int64_t end) {
    return Tensor<std::int32_t>({1, end - begin},
                                std::span(tokens).subspan(static_cast<std::size_t>(begin),
                                                          static_cast<std::size_t>(end - begin)),
                                model.device());
  };
  const auto last_of = [](const auto& scores) {
    const auto values = ddx::cast<double>(slice(scores, {.start = {0, -1, 0}})).values();
    return std::vector<double>(values.begin(), values.end());
  };
  auto cache = ddx::models::detail::empty_cache(model, places);
  auto scores = last_of(model.extend(part(0, beginning), cache));
  for (std::int64_t place = beginning; place < places; ++place) {
    scores = last_of(model.extend(part(place, place + 1), cache));
  }
  const auto expected = last_of(model(part(0, places)));
  double error = 0;
  double largest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    error = std::max(error, std::abs(scores[i] - expected[i]));
    largest = std::max(largest, std::abs(expected[i]));
  }
  if (!(error <= tolerance * largest)) {
    throw ddx::InternalError("bench_generate",
                             fmt::format("scores of up to {:.3g} place by place differ by {:.3g} "
                                         "from those of the whole sequence",
                                         largest, error));
  }
}

/// Throws: InternalError where a lazy device compiles a graph after the second token.
template <class Model>
double seconds_per_token(const Model& model, std::int64_t beginning, std::int64_t count) {
  std::vector<double> times;
  std::uint64_t compiled = 0;
  auto last = Clock::now();
  (void)ddx::models::generate(model, prompt(beginning, model.vocabulary()),
                              {.count = count, .greedy = true, .on_token = [&](const auto&) {
                                 times.push_back(seconds_since(last));
                                 last = Clock::now();
                                 if (times.size() == 2) {
                                   compiled = ddx::backend::lazy_statistics().compiled;
                                 }
                                 return true;
                               }});
  if (ddx::backend::lazy_statistics().compiled != compiled) {
    throw ddx::InternalError("bench_generate", "a token after the second one compiles a graph");
  }
  // Behind the prompt and the token that compiles.
  return std::ranges::min(std::span(times).subspan(2));
}

template <class Scalar, template <class> class Model>
nlohmann::json measured(const std::string& name, const typename Model<Scalar>::Options& options,
                        bool quick, Device device) {
  Model<Scalar> model(options);
  ddx::nn::move_to(model, device);
  const bool is_narrow = sizeof(Scalar) == 2;
  verify_scores(model, is_narrow ? 0.05 : 1e-4);
  const double seconds = seconds_per_token(model, quick ? 8 : 128, quick ? 6 : 128);
  const double bytes = ddx::models::parameter_count(options) * sizeof(Scalar);
  const char* const type = is_narrow ? "bf16" : "f32";
  const std::string where = ddx::to_string(device);
  fmt::print("{:<8} {:<5} {:<5} {:>9.2f} {:>9.2f}\n", name, type, where, 1 / seconds,
             bytes / seconds * 1e-9);
  std::fflush(stdout);
  return {{"model", name},
          {"dtype", type},
          {"device", where},
          {"tokens_per_second", 1 / seconds},
          {"weight_bytes_per_second", bytes / seconds}};
}

int measure_all(const Options& options) {
  const double memory = memory_speed();
  fmt::print("memory   {:>32.2f} GB/s\n{:<8} {:<5} {:<5} {:>9} {:>9}\n", memory * 1e-9, "model",
             "type", "on", "tokens/s", "GB/s");
  nlohmann::json rows = nlohmann::json::array({{{"memory_bytes_per_second", memory}}});
  ddx::models::GPT2Options gpt2;
  ddx::models::DecoderOptions llama;
  llama.blocks = 16;
  llama.features = 2048;
  llama.hidden = 8192;
  llama.heads = 32;
  llama.key_heads = 8;
  llama.tied_head = true;
  if (options.quick) {
    gpt2.vocabulary = llama.vocabulary = 101;
    gpt2.blocks = llama.blocks = 2;
    gpt2.features = llama.features = 64;
    gpt2.heads = llama.heads = 4;
    llama.hidden = 128;
    llama.key_heads = 2;
  }
  for (const Device device : {Device::cpu(), Device::lazy()}) {
    if (options.only.empty() || options.only == "gpt2") {
      rows.push_back(measured<float, ddx::models::GPT2>("gpt2", gpt2, options.quick, device));
      rows.push_back(
          measured<ddx::BFloat16, ddx::models::GPT2>("gpt2", gpt2, options.quick, device));
    }
    if (options.only.empty() || options.only == "llama") {
      rows.push_back(measured<float, ddx::models::Decoder>("llama", llama, options.quick, device));
      rows.push_back(
          measured<ddx::BFloat16, ddx::models::Decoder>("llama", llama, options.quick, device));
    }
  }
  return ddx::bench::write_json("bench_generate", options.json, rows);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times the tokens of models; verifies their scores first.");
  Options options;
  app.add_flag("--quick", options.quick, "Small models and few tokens");
  app.add_option("--only", options.only, "gpt2 or llama");
  app.add_option("--json", options.json,
                 "Write the measurements to this file, an array of flat objects");
  return ddx::bench::run(app, "bench_generate", argc, argv, [&] { return measure_all(options); });
}
