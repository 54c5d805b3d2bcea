// Tokens per second of models with random weights, beside what the memory allows.

#include "ddx/backend/lazy.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/models/generation/generate.h"
#include "ddx/models/generation/generate_options.h"
#include "ddx/models/pretrained/save_pretrained.h"
#include "ddx/models/text/decoder.h"
#include "ddx/models/text/gpt2.h"
#include "ddx/nn/quantize.h"
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
  std::string format;
  std::string device;
  std::filesystem::path save;
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

/// How long the parts of a generation take, in seconds, and what it draws.
struct Generation {
  double prompt = 0;  ///< Until the first token.
  double least = 0;   ///< Of the tokens behind the second one.
  double median = 0;
  std::vector<std::int32_t> tokens;
};

/// Throws: InternalError where a lazy device compiles a graph after the second token.
template <class Model>
Generation timed_generation(const Model& model, std::int64_t beginning, std::int64_t count) {
  std::vector<double> times;
  std::uint64_t compiled = 0;
  Generation made;
  auto last = Clock::now();
  made.tokens =
      ddx::models::generate(model, prompt(beginning, model.vocabulary()),
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
  made.prompt = times.front();
  // Behind the prompt and the token that compiles.
  const auto behind = std::span(times).subspan(2);
  std::ranges::sort(behind);
  made.least = behind.front();
  made.median = behind[behind.size() / 2];
  return made;
}

/// How weights are kept.
struct Format {
  std::string name;
  int bits = 0;      ///< Of an element.
  double bytes = 0;  ///< Of an element, with its part of the scales.
};

const std::vector<Format>& formats() {
  static const std::vector<Format> all{{.name = "f32", .bits = 32, .bytes = 4},
                                       {.name = "bf16", .bits = 16, .bytes = 2},
                                       {.name = "int8", .bits = 8, .bytes = 34.0 / 32},
                                       {.name = "int4", .bits = 4, .bytes = 18.0 / 32}};
  return all;
}

template <class Scalar, template <class> class Model>
nlohmann::json measured(const std::string& name, const typename Model<Scalar>::Options& options,
                        const Format& format, const Options& asked, Device device) {
  Model<Scalar> model(options);
  if (format.bits < 16) {
    ddx::nn::quantize(model, format.bits);
  }
  ddx::nn::move_to(model, device);
  verify_scores(model, format.bits == 16 ? 0.05 : 1e-4);
  const auto made = timed_generation(model, asked.quick ? 8 : 128, asked.quick ? 6 : 128);
  const double bytes = ddx::models::parameter_count(options) * format.bytes;
  const std::string where = ddx::to_string(device);
  fmt::print("{:<8} {:<5} {:<5} {:>9.1f} {:>9.2f} {:>9.2f} {:>9.2f}\n", name, format.name, where,
             made.prompt * 1e3, 1 / made.least, 1 / made.median, bytes / made.least * 1e-9);
  std::fflush(stdout);
  return {{"model", name},
          {"format", format.name},
          {"device", where},
          {"prompt_seconds", made.prompt},
          {"tokens_per_second", 1 / made.least},
          {"median_tokens_per_second", 1 / made.median},
          {"weight_bytes_per_second", bytes / made.least},
          {"tokens", made.tokens}};
}

/// The rows of a model, of which the one in f32 is written to the folder where there is one.
template <template <class> class Model>
void measure_model(const std::string& name, const typename Model<float>::Options& options,
                   const Options& asked, nlohmann::json& rows) {
  if (!asked.only.empty() && asked.only != name) {
    return;
  }
  if (!asked.save.empty()) {
    ddx::models::save_pretrained(Model<float>(options), asked.save / name);
    return;
  }
  for (const Device device : {Device::cpu(), Device::lazy()}) {
    for (const Format& format : formats()) {
      // A lazy device multiplies quantised weights out.
      if ((!asked.format.empty() && asked.format != format.name) ||
          (!asked.device.empty() && asked.device != ddx::to_string(device)) ||
          (device.is_lazy() && format.bits < 16)) {
        continue;
      }
      rows.push_back(format.bits == 16
                         ? measured<ddx::BFloat16, Model>(name, options, format, asked, device)
                         : measured<float, Model>(name, options, format, asked, device));
    }
  }
}

int measure_all(const Options& options) {
  nlohmann::json rows = nlohmann::json::array();
  if (options.save.empty()) {
    const double memory = memory_speed();
    fmt::print("memory   {:>52.2f} GB/s\n{:<8} {:<5} {:<5} {:>9} {:>9} {:>9} {:>9}\n",
               memory * 1e-9, "model", "type", "on", "prompt ms", "tokens/s", "median", "GB/s");
    rows.push_back({{"memory_bytes_per_second", memory}});
  }
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
  measure_model<ddx::models::GPT2>("gpt2", gpt2, options, rows);
  measure_model<ddx::models::Decoder>("llama", llama, options, rows);
  return ddx::bench::write_json("bench_generate", options.json, rows);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times the tokens of models; verifies their scores first.");
  Options options;
  app.add_flag("--quick", options.quick, "Small models and few tokens");
  app.add_option("--only", options.only, "gpt2 or llama");
  app.add_option("--format", options.format, "f32, bf16, int8 or int4");
  app.add_option("--device", options.device, "cpu or lazy");
  app.add_option(
      "--save", options.save,
      "Write the models in f32 into this folder, as those of the hub, and measure nothing");
  app.add_option("--json", options.json,
                 "Write the measurements to this file, an array of flat objects");
  return ddx::bench::run(app, "bench_generate", argc, argv, [&] { return measure_all(options); });
}
