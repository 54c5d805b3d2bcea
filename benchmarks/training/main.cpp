// Training with its input pipeline: from JPEG files and records to the step.

#include "ddx/backend/pjrt.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/data/sets/cifar10.h"
#include "ddx/data/sets/cropped_image_files.h"
#include "ddx/data/sets/image_folder.h"
#include "ddx/io/jpeg.h"
#include "ddx/io/safetensors.h"
#include "ddx/io/tensor_conversion.h"

#include "command_line.h"
#include "generated_files.h"
#include "process.h"
#include "row.h"
#include "scaling.h"
#include "tables.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace {

using ddx::bench::Row;
using ddx::bench::Setting;

/// A table: how it is verified and measured.
struct Table {
  std::string_view name;
  std::string_view model;  ///< What its rows are about.
  void (*verify)(const Setting&);
  std::vector<Row> (*rows)(const Setting&);
  std::string_view reference;  ///< Rates that others have published, of their machines.
};

constexpr Table tables[] = {
    {"pipeline", "JPEG files to batches of 224 x 224", ddx::bench::verify_pipeline,
     ddx::bench::pipeline_rows, ""},
    {"cifar", "ResNet-56 on records of CIFAR-10", ddx::bench::verify_cifar, ddx::bench::cifar_rows,
     "arXiv 2102.13243, table 3, one GTX 1080: Swift for TensorFlow lazy 1827, eager 730, PyTorch "
     "2462"},
    {"imagenet", "ResNet-50 on the JPEG files", ddx::bench::verify_imagenet,
     ddx::bench::imagenet_rows,
     "arXiv 2102.13243, table 1, one of 16 TPUv3 cores: Swift for TensorFlow 635"},
};

constexpr std::string_view scaling_name = "scaling";

/// The command-line options.
struct Options {
  bool quick = false;
  bool verify_only = false;
  std::string device = "lazy";
  std::string only;
  std::filesystem::path images;
  std::filesystem::path records;
  std::int64_t batch = 0;
  std::filesystem::path json;
  double step_ms = 0;
  // Of the measuring processes.
  std::string child;
  int threads = 1;
  std::int64_t virtual_devices = 0;
  // Of the peer's script.
  std::filesystem::path prepared;
};

bool has_cpu_plugin() {
  return std::ranges::any_of(ddx::backend::pjrt_plugins(),
                             [](const auto& plugin) { return plugin.name == "cpu"; });
}

Setting setting_of(const Options& options) {
  return {.images = options.images,
          .records = options.records,
          .device = ddx::device_named(options.device).value(),
          .batch = options.batch,
          .threads = options.threads,
          .seconds = options.quick ? 1. : 5.};
}

/// Writes, for a peer, the pictures where none are given, and the middle of 16 of them as this
/// library reads it.
void prepare(const Options& options) {
  constexpr std::size_t compared = 16;
  auto images = options.images;
  if (images.empty()) {
    images = options.prepared / "images";
    ddx::bench::write_pictures(images, options.quick ? 100 : 500);
  }
  const auto files = ddx::data::read_image_folder(images).files;
  std::vector<std::int64_t> samples(std::min<std::size_t>(compared, files.size()));
  std::iota(samples.begin(), samples.end(), std::int64_t{0});
  const auto batch = ddx::data::CroppedImageFiles(files).batch(samples);
  ddx::io::write_safetensors(
      options.prepared / "middles.safetensors",
      {.tensors = {{"images", ddx::io::to_stored(batch.images)}}, .metadata = {}});
}

/// What a process of its own prints that this program becomes, on so many processors.
nlohmann::json printed_apart(const Options& options, std::vector<std::string> arguments,
                             int processors) {
  std::vector<std::string> command = {"/proc/self/exe"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  if (options.quick) {
    command.emplace_back("--quick");
  }
  const auto [status, output] = ddx::bench::run(command, processors, false);
  if (status != 0) {
    throw ddx::InternalError("bench " + arguments.at(1),
                             fmt::format("the measuring process ended with {}", status));
  }
  return nlohmann::json::parse(output);
}

/// The rows of a table, measured by a process of its own on so many processors.
std::vector<Row> rows_apart(const Table& table, const Options& options, int threads) {
  std::vector<Row> rows;
  for (const auto& object :
       printed_apart(options,
                     {"--child", std::string(table.name), "--threads", std::to_string(threads),
                      "--device", options.device, "--batch", std::to_string(options.batch),
                      "--images", options.images.string(), "--records", options.records.string()},
                     threads)) {
    rows.push_back(ddx::bench::from_object(object));
  }
  return rows;
}

/// In a measuring process: verifies, measures, and prints the rows.
int measure_here(const Options& options) {
  const Setting setting = setting_of(options);
  if (options.child == scaling_name) {
    const auto row = ddx::bench::virtual_scaling(options.virtual_devices, setting.seconds);
    fmt::print("{}\n", nlohmann::json(row.examples_per_card).dump());
    return 0;
  }
  for (const Table& table : tables) {
    if (table.name == options.child) {
      table.verify(setting);
      nlohmann::json objects = nlohmann::json::array();
      for (const Row& row : table.rows(setting)) {
        objects.push_back(ddx::bench::to_object(row));
      }
      fmt::print("{}\n", objects.dump());
      return 0;
    }
  }
  throw ddx::UsageError("--child", "no table is named '" + options.child + "'");
}

/// Throws:  UsageError where no table's name begins so.
void check_choice(const std::string& beginning) {
  std::vector<std::string_view> names;
  for (const Table& table : tables) {
    names.push_back(table.name);
  }
  names.push_back(scaling_name);
  if (std::ranges::none_of(names, [&](auto name) { return name.starts_with(beginning); })) {
    throw ddx::UsageError("--only", fmt::format("no table's name begins with '{}'; there are {}",
                                                beginning, fmt::join(names, ", ")));
  }
}

/// Measures and prints a table on one processor and on two; returns its rows.
std::vector<Row> measured_table(const Table& table, const Options& options) {
  fmt::print("\n{}\n", table.model);
  ddx::bench::print_heading();
  std::vector<Row> rows;
  for (int threads = 1; threads <= std::min(2, ddx::bench::processor_count()); ++threads) {
    for (const Row& row : rows_apart(table, options, threads)) {
      ddx::bench::print(row);
      rows.push_back(row);
    }
  }
  if (!table.reference.empty()) {
    fmt::print("published, on other machines: {}\n", table.reference);
  }
  return rows;
}

/// Prints rates per card beside that of one card; returns them as objects.
nlohmann::json print_scaling(const std::vector<ddx::bench::ScalingRow>& rows) {
  nlohmann::json objects = nlohmann::json::array();
  for (const auto& row : rows) {
    const double relative = row.examples_per_card / rows.front().examples_per_card;
    fmt::print("{:<22} {:>6} {:>14.1f} {:>16.1f} {:>9.1f}%\n", row.name, row.cards,
               row.examples_per_card * static_cast<double>(row.cards), row.examples_per_card,
               100 * relative);
    objects.push_back({{"name", row.name},
                       {"framework", "ddx"},
                       {"cards", row.cards},
                       {"examples_per_s_per_card", row.examples_per_card},
                       {"relative", relative}});
  }
  return objects;
}

/// The rates of virtual devices, or those up to the first count that cannot be measured; prints why
/// to stderr.
std::vector<ddx::bench::ScalingRow> virtual_rows(const Options& options) {
  std::vector<ddx::bench::ScalingRow> rows;
  for (const std::int64_t devices : {1, 2, 4, 8}) {
    try {
      const auto rate = printed_apart(
          options, {"--child", std::string(scaling_name), "--virtual", std::to_string(devices)}, 0);
      rows.push_back({.name = "scaling.virtual", .cards = devices, .examples_per_card = rate});
    } catch (const std::exception& error) {
      fmt::print(stderr, "bench_training: {} virtual devices cannot be measured: {}\n", devices,
                 error.what());
      break;
    }
  }
  return rows;
}

/// The step of ResNet-50 on one card: as the command line says, else as measured here.
ddx::bench::Step single_step(const Options& options, const std::vector<Row>& measured) {
  const std::int64_t examples = options.batch == 0 ? 8 : options.batch;
  ddx::bench::Step step{.seconds = 1e-3 * options.step_ms,
                        .examples = examples,
                        .gradient_bytes = ddx::bench::resnet50_gradient_bytes};
  for (const Row& row : measured) {
    if (options.step_ms == 0 && row.name == "imagenet.step") {
      step.seconds = static_cast<double>(examples) / row.best;
    }
  }
  return step;
}

nlohmann::json measured_scaling(const Options& options, const ddx::bench::Step& step) {
  const ddx::bench::Network network;
  fmt::print(
      "\nData-parallel training: {:.0f} MB of gradients a step, summed in a ring; {} cards a "
      "machine "
      "with {:.0f} GB/s and {:.0f} us,\n{:.0f} GB/s and {:.0f} us between machines; hidden behind "
      "{:.0f} % of the step of {:.1f} ms with {} examples\n",
      1e-6 * step.gradient_bytes, network.cards_per_machine, 1e-9 * network.inner_bandwidth,
      1e6 * network.inner_latency, 1e-9 * network.outer_bandwidth, 1e6 * network.outer_latency,
      100 * step.overlap, 1e3 * step.seconds, step.examples);
  fmt::print("{:<22} {:>6} {:>14} {:>16} {:>10}\n", "what", "cards", "examples/s", "per card",
             "relative");
  auto objects = print_scaling(ddx::bench::predicted_scaling(network, step));
  auto exposed = step;
  exposed.overlap = 0;
  for (auto& object : print_scaling(ddx::bench::predicted_scaling(network, exposed))) {
    objects.push_back(std::move(object));
  }
  fmt::print(
      "128 cards keep 95 % of the rate with steps of {:.1f} ms and longer, without overlap of "
      "{:.1f} ms\n",
      1e3 * ddx::bench::shortest_scaling_step(network, step),
      1e3 * ddx::bench::shortest_scaling_step(network, exposed));
  fmt::print(
      "published, on other machines: arXiv 2102.13243, table 1, TPUv3 cores: 16 with 635.25 "
      "each, 32 with 625.47, 128 with 607.23 (95.6 %)\n");
  if (!has_cpu_plugin()) {
    fmt::print(stderr,
               "bench_training: XLA's plugin for CPUs is not installed: no virtual devices\n");
    return objects;
  }
  fmt::print(
      "ResNet-20 on virtual devices, which share {} processors: what all together keep is what "
      "counts\n",
      ddx::bench::processor_count());
  for (auto& object : print_scaling(virtual_rows(options))) {
    objects.push_back(std::move(object));
  }
  return objects;
}

/// Generates the files that the user has not named, and looks at those that are named before a
/// measuring process needs them.
///
/// Throws:  EnvironmentError where a named one is not of its format.
void prepare_files(Options& options, const std::filesystem::path& folder) {
  if (options.images.empty()) {
    options.images = folder / "images";
    ddx::bench::write_pictures(options.images, options.verify_only ? 20
                                               : options.quick     ? 100
                                                                   : 500);
  } else {
    (void)ddx::data::read_image_folder(options.images);
  }
  if (options.records.empty()) {
    options.records = folder / "records.bin";
    ddx::bench::write_records(options.records, options.verify_only ? 100 : 5000);
  } else {
    (void)ddx::data::read_cifar10_file(options.records);
  }
}

void verify_all(const Options& options) {
  for (const Table& table : tables) {
    if (table.name.starts_with(options.only)) {
      table.verify(setting_of(options));
      fmt::print("{}: verified\n", table.name);
    }
  }
  ddx::bench::verify_scaling();
  fmt::print("{}: verified\n", scaling_name);
}

int measure_all(Options options) {
  check_choice(options.only);
  const ddx::bench::TemporaryFolder folder;
  prepare_files(options, folder.path());
  if (options.verify_only) {
    verify_all(options);
    return 0;
  }
  nlohmann::json objects = nlohmann::json::array();
  std::vector<Row> measured;
  const bool scales = scaling_name.starts_with(options.only);
  for (const Table& table : tables) {
    const bool is_needed = scales && options.step_ms == 0 && table.name == "imagenet";
    if (table.name.starts_with(options.only) || is_needed) {
      for (const Row& row : measured_table(table, options)) {
        objects.push_back(ddx::bench::to_object(row));
        measured.push_back(row);
      }
    }
  }
  if (scales) {
    ddx::bench::verify_scaling();
    for (auto& object : measured_scaling(options, single_step(options, measured))) {
      objects.push_back(std::move(object));
    }
  }
  return ddx::bench::write_json("bench_training", options.json, objects);
}

int run_program(const Options& options) try {
  constexpr int skipped = 77;
  if (!ddx::io::has_jpeg()) {
    fmt::print(stderr, "bench_training: this ddx was built without libjpeg-turbo\n");
    return skipped;
  }
  if (!options.child.empty()) {
    return measure_here(options);
  }
  if (!options.prepared.empty()) {
    prepare(options);
    return 0;
  }
  return measure_all(options);
} catch (const std::exception& error) {  // Also of JSON and of the file system.
  fmt::print(stderr, "bench_training: {}\n", error.what());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times training with its input pipeline; verifies batches and losses first.");
  Options options;
  app.add_flag("--quick", options.quick, "Fewer files and shorter samples");
  app.add_flag("--verify", options.verify_only, "Verify, and time nothing");
  app.add_option("--json", options.json,
                 "Write the measurements to this file, an array of flat objects");
  app.add_option("--only", options.only, "Only tables whose name begins so");
  app.add_option("--images", options.images,
                 "A folder of classes with JPEG files; generated if not given");
  app.add_option("--records", options.records, "A file of CIFAR-10; generated if not given");
  app.add_option("--batch", options.batch, "Examples in a step")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 20));
  const CLI::Validator is_device(
      [](const std::string& name) {
        return ddx::device_named(name) ? std::string()
                                       : fmt::format("no device is named '{}'; there are {}", name,
                                                     fmt::join(ddx::device_names(), ", "));
      },
      "DEVICE");
  app.add_option("--device", options.device, "The device of the steps; default lazy")
      ->check(is_device);
  app.add_option("--step-ms", options.step_ms,
                 "Scaling: the time of a card's step with --batch examples, instead of this "
                 "machine's")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--virtual", options.virtual_devices, "Virtual devices of the child")->group("");
  app.add_option("--child", options.child, "Measure one table here")->group("");
  app.add_option("--threads", options.threads, "Of the pipeline")->group("");
  app.add_option("--prepare", options.prepared, "Write the files for a peer here")->group("");
  return ddx::bench::run(app, "bench_training", argc, argv, [&] { return run_program(options); });
}
