// Products of the Hessian of a model's loss and its gradient.

#include "ddx/ad.h"
#include "ddx/backend/lazy.h"
#include "ddx/backend/loop_compilation.h"
#include "ddx/backend/memory_statistics.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/io/safetensors.h"
#include "ddx/io/tensor_conversion.h"
#include "ddx/models/gpt.h"
#include "ddx/models/lenet.h"
#include "ddx/models/residual_network.h"
#include "ddx/nn/model_arithmetic.h"
#include "ddx/nn/optimizers/sgd.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor.h"
#include "ddx/train/load_model.h"

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
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using ddx::Device;
using ddx::RandomKey;
using ddx::Tensor;

/// The command-line options.
struct Options {
  bool quick = false;
  bool verify = false;
  std::string only;
  std::vector<std::string> devices{"cpu", "lazy"};
  std::filesystem::path json;
  std::filesystem::path content;
};

/// The least and the median of some times.
struct Times {
  double least = 0;
  double median = 0;
};

/// What is measured of a model on a device; times in milliseconds, memory of tensors in megabytes.
struct Row {
  std::string name;
  std::string device;
  Times gradient;
  Times product;
  double gradient_mb = 0;
  double product_mb = 0;
  double norm = 0;       ///< The gradient times itself.
  double curvature = 0;  ///< The product times the gradient.
};

/// Runs `f`, which returns a number of what it computes, at least five times and for `seconds`.
template <class F>
Times times_of(const F& f, double seconds) {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t least = 5;
  std::vector<double> times;
  const auto begin = Clock::now();
  while (times.size() < least || Clock::now() - begin < std::chrono::duration<double>(seconds)) {
    const auto before = Clock::now();
    (void)f();
    times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - before).count());
  }
  std::ranges::sort(times);
  return {times.front(), times[times.size() / 2]};
}

/// The most memory that tensors take while `f` runs, beside what they take before.
template <class F>
double megabytes_of(const F& f) {
  ddx::backend::reset_memory_peak();
  const std::size_t before = ddx::backend::memory_statistics().in_use;
  (void)f();
  return 1e-6 * static_cast<double>(ddx::backend::memory_statistics().peak - before);
}

/// Throws:  InternalError unless the curvature is as expected.
void expect_near(const Row& row, double expected, double tolerance) {
  if (!(std::abs(row.curvature - expected) <= tolerance * std::abs(expected))) {
    throw ddx::InternalError(
        "bench hvp", fmt::format("{} on {}: the curvature is {}, and should be {}", row.name,
                                 row.device, row.curvature, expected));
  }
}

/// The curvature along the gradient, by the difference of gradients at two places.
template <class Model, class Loss>
double curvature_by_differences(const Model& model, const Loss& loss) {
  const auto gradient = ddx::gradient(loss, model);
  const double step = 1e-2 / std::sqrt(ddx::nn::dot(gradient, gradient));
  const auto slope = [&](double by) {
    Model there = model;
    ddx::nn::SGD<Model> down(there, {.learning_rate = 1});
    down.update(there, ddx::nn::scaled(gradient, -by));
    return ddx::nn::dot(ddx::gradient(loss, there), gradient);
  };
  return (slope(step) - slope(-step)) / (2 * step);
}

template <class Model, class Loss>
Row measured(const std::string& name, const std::string& device, const Model& model,
             const Loss& loss, double seconds) {
  const auto direction = ddx::gradient(loss, model);
  const auto gradient = [&] { return ddx::nn::dot(ddx::gradient(loss, model), direction); };
  const auto product = [&] { return ddx::nn::dot(ddx::hvp(loss, model, direction), direction); };
  Row row;
  row.name = name;
  row.device = device;
  row.norm = gradient();
  row.curvature = product();
  if (name == "gpt") {  // The others have kinks, at which gradients jump.
    expect_near(row, curvature_by_differences(model, loss), 0.05);
  }
  ddx::backend::await_loop_compilation();
  (void)product();
  row.gradient_mb = megabytes_of(gradient);
  row.product_mb = megabytes_of(product);
  row.gradient = times_of(gradient, seconds);
  row.product = times_of(product, seconds);
  return row;
}

/// A model, its batch on a device, and its name.
template <class Model, class Input>
struct Case {
  std::string name;
  Model model;
  Tensor<Input> x;
  Tensor<std::int32_t> labels;

  Case(std::string given, Model made, const Tensor<Input>& input, std::int64_t classes)
      : name(std::move(given)), model(std::move(made)), x(input) {
    ddx::nn::initialize(model, RandomKey(3));
    const std::int64_t rows = std::is_same_v<Input, float> ? x.shape()[0] : x.shape().count();
    labels = ddx::random_integers<std::int32_t>(RandomKey(2), {rows}, 0,
                                                static_cast<std::int32_t>(classes));
  }

  [[nodiscard]] Row on(const std::string& device_name, double seconds) const {
    const Device device = ddx::device_named(device_name).value();
    Model there = model;
    ddx::nn::move_to(there, device);
    ddx::nn::begin_step(there, RandomKey(4));
    const Tensor<Input> input = x.to(device);
    const Tensor<std::int32_t> wanted = labels.to(device);
    const auto loss = [&](const Model& m) {
      const Tensor<float> scores = m(input);
      return softmax_cross_entropy(reshape(scores, {-1, scores.shape()[scores.rank() - 1]}),
                                   wanted);
    };
    return measured(name, device_name, there, loss, seconds);
  }

  void write(const std::filesystem::path& folder) const {
    auto arrays = ddx::train::model_arrays(model);
    arrays["x"] = ddx::io::to_stored(x);
    arrays["labels"] = ddx::io::to_stored(labels);
    ddx::io::write_safetensors(folder / (name + ".safetensors"),
                               {.tensors = std::move(arrays), .metadata = {}});
  }
};

/// The library's network with the padding of the peers' convolutions.
ddx::models::ResidualNetwork<float> residual_network(std::int64_t blocks) {
  ddx::models::ResidualNetwork<float> model({.blocks = blocks});
  for (auto& block : model.blocks) {
    block.conv1.window.padding = ddx::Padding::amounts(1, 1, 1, 1);
  }
  return model;
}

/// The library's model with the peers' activation and epsilon.
ddx::models::GPT<float> gpt(const ddx::models::GPTOptions& options) {
  ddx::models::GPT<float> model(options);
  for (auto& block : model.blocks) {
    block.widen.activation = ddx::nn::Activation::GELUTanh;
  }
  model.norm.epsilon = 1e-5;
  return model;
}

Tensor<float> pictures(const ddx::Shape& shape) {
  return ddx::random_normal<float>(RandomKey(1), shape);
}

/// Calls `f` with each case; small ones for verification.
template <class F>
void for_each_case(bool small, const F& f) {
  f(Case("lenet", ddx::models::LeNet<float>(), pictures({small ? 8 : 128, 28, 28, 1}), 10));
  f(Case("resnet20", residual_network(small ? 1 : 3),
         small ? pictures({4, 16, 16, 3}) : pictures({32, 32, 32, 3}), 10));
  const ddx::models::GPTOptions options =
      small ? ddx::models::GPTOptions{.vocabulary = 64,
                                      .context = 32,
                                      .blocks = 2,
                                      .features = 64,
                                      .heads = 4}
            : ddx::models::GPTOptions{.features = 256, .heads = 8};
  f(Case("gpt", gpt(options),
         ddx::random_integers<std::int32_t>(RandomKey(1), {small ? 4 : 16, options.context}, 0,
                                            static_cast<std::int32_t>(options.vocabulary)),
         options.vocabulary));
}

nlohmann::json to_json(const Row& row) {
  return {{"name", row.name},
          {"framework", "ddx"},
          {"mode", row.device},
          {"gradient_ms", row.gradient.least},
          {"gradient_median_ms", row.gradient.median},
          {"hvp_ms", row.product.least},
          {"hvp_median_ms", row.product.median},
          {"gradient_mb", row.gradient_mb},
          {"hvp_mb", row.product_mb},
          {"norm", row.norm},
          {"curvature", row.curvature}};
}

int measure_all(const Options& options) {
  nlohmann::json rows = nlohmann::json::array();
  if (!options.content.empty()) {
    for_each_case(false, [&](const auto& one) {
      if (one.name.starts_with(options.only)) {
        one.write(options.content);
      }
    });
    return 0;
  }
  fmt::print("{:<10} {:<6} {:>12} {:>9} {:>9} {:>9} {:>7} {:>9} {:>7}\n", "ms", "", "gradient",
             "median", "hvp", "median", "times", "MB", "times");
  std::vector<std::string> devices = options.devices;
  if (options.verify) {
    devices.insert(devices.begin(), "naive");
  }
  for_each_case(options.verify, [&](const auto& one) {
    double expected = 0;
    for (const std::string& device : devices) {
      if (!one.name.starts_with(options.only)) {
        continue;
      }
      const Row row = one.on(device, options.quick || options.verify ? 0 : 3);
      expected = device == devices.front() ? row.curvature : expected;
      expect_near(row, expected, 1e-3);
      fmt::print("{:<10} {:<6} {:>12.2f} {:>9.2f} {:>9.2f} {:>9.2f} {:>7.2f} {:>9.1f} {:>7.2f}\n",
                 row.name, row.device, row.gradient.least, row.gradient.median, row.product.least,
                 row.product.median, row.product.least / row.gradient.least, row.product_mb,
                 row.product_mb / row.gradient_mb);
      std::fflush(stdout);
      rows.push_back(to_json(row));
    }
  });
  return ddx::bench::write_json("bench_hvp", options.json, rows);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times products of the Hessian and the gradient of models; verifies them first.");
  Options options;
  app.add_flag("--quick", options.quick, "Five samples of each");
  app.add_flag("--verify", options.verify, "Small models, on the naive device too");
  app.add_option("--only", options.only, "Models whose name begins so");
  app.add_option("--device", options.devices, "The devices; default cpu and lazy");
  app.add_option("--json", options.json, "Write the measurements to this file");
  app.add_option("--write-content", options.content,
                 "Only write parameters and batches, as safetensors files, to this folder");
  return ddx::bench::run(app, "bench_hvp", argc, argv, [&] { return measure_all(options); });
}
