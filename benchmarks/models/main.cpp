// Training steps of whole models, next to those of PyTorch and JAX in the same run if these are
// installed.

#include "ddx/backend/pjrt.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"

#include "comparison.h"
#include "gpu_report.h"
#include "lenet_epoch.h"
#include "measure.h"
#include "process.h"
#include "temporary_file.h"
#include "workload.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace {

using ddx::bench::Configuration;
using ddx::bench::Measurement;
using ddx::bench::TemporaryFile;

/// The exit status if nothing could be run.
constexpr int skipped = 77;

/// The command-line options.
struct Options {
  bool quick = false;
  bool verify_only = false;
  bool bf16 = false;
  std::filesystem::path json;
  std::string python = "python3";
  std::string peers;
  std::vector<std::string> devices{"cpu", "lazy"};
  std::string only;
  std::string profiled;
  std::string target;  // Of GPUs to compile for; empty: measure.
  std::filesystem::path plugins;
  int cards = 1;
  std::filesystem::path dump;
  std::vector<std::string> flags;
  bool bounds = false;
  std::filesystem::path epoch;
  // Of the measuring processes.
  Configuration child;
  std::filesystem::path content;
  std::string verified;
  bool roof = false;
};

void print_heading() {
  fmt::print("{:<12} {:<13} {:<5} {:>7} {:>10} {:>10} {:>9} {:>8} {:>8} {:>7}  {}\n", "model", "by",
             "dtype", "threads", "median ms", "min ms", "first s", "peak MB", "GFLOP/s", "of roof",
             "fastest peer / ddx (min, median)");
}

bool is_own(const Measurement& row) {
  return row.framework == "ddx";
}

/// The time of the fastest peer as a multiple of ours.
std::string advantage(const Measurement& own, const std::vector<Measurement>& rows) {
  double min = std::numeric_limits<double>::infinity();
  double median = min;
  for (const Measurement& row : rows) {
    if (!is_own(row)) {
      min = std::min(min, row.min_ms);
      median = std::min(median, row.median_ms);
    }
  }
  return std::isinf(min) ? ""
                         : fmt::format("{:.2f}, {:.2f}", min / own.min_ms, median / own.median_ms);
}

/// Prints the rows of a configuration, and returns them as flat objects.
nlohmann::json report(const std::vector<Measurement>& rows, double operations, double roof) {
  nlohmann::json objects = nlohmann::json::array();
  for (const Measurement& m : rows) {
    const double speed = 1e-6 * operations / m.min_ms;
    const bool is_named = m.mode == "compile" || m.mode == "lazy" || m.mode == "pjrt";
    fmt::print(
        "{:<12} {:<13} {:<5} {:>7} {:>10.3f} {:>10.3f} {:>9.3f} {:>8.0f} {:>8.1f} {:>7}  {}\n",
        m.name, is_named ? m.framework + " " + m.mode : m.framework, m.dtype, m.threads,
        m.median_ms, m.min_ms, m.compile_s, m.peak_rss_mb, speed,
        roof == 0 ? "" : fmt::format("{:.0f}%", 100 * speed / roof),
        is_own(m) ? advantage(m, rows) : "");
    if (m.flops > 0 && m.fma_gflops > 0) {
      const double all = 1e-6 * m.flops / m.min_ms;
      fmt::print(
          "{:<12} launched: {:.3f} GFLOP a step, {:.1f} GFLOP/s, {:.0f}% of {:.0f} GFLOP/s (f32 "
          "in registers)\n{:<12} made ready: graphs in {:.1f} ms; {} loops compiled, {} loaded, in "
          "{:.1f} ms beside\n",
          "", 1e-9 * m.flops, all, 100 * all / m.fma_gflops, m.fma_gflops, "", m.plan_ms, m.loops,
          m.loaded_loops, m.loop_ms);
    }
    auto object = nlohmann::json::parse(to_json(m));
    object.erase("losses");
    object["gflops"] = speed;
    object["roof_gflops"] = roof;
    objects.push_back(std::move(object));
  }
  std::fflush(stdout);
  return objects;
}

/// The names of the requested workloads.
std::vector<std::string> chosen_workloads(const std::string& beginning) {
  const std::vector<std::string> names = ddx::bench::workload_names();
  std::vector<std::string> chosen;
  std::ranges::copy_if(names, std::back_inserter(chosen),
                       [&](const std::string& name) { return name.starts_with(beginning); });
  if (chosen.empty()) {
    throw ddx::UsageError("--only", fmt::format("no workload's name begins with '{}'; there are {}",
                                                beginning, fmt::join(names, ", ")));
  }
  return chosen;
}

/// Whether something is measured on an NVIDIA GPU: then the peers run there too, and processors are
/// not counted.
bool is_on_gpu(const Options& options) {
  return std::ranges::any_of(options.devices, [](const std::string& name) {
    return ddx::device_named(name)->platform() == "cuda";
  });
}

nlohmann::json measure_all(const Options& options) {
  const bool on_gpu = is_on_gpu(options);
  const auto peers = ddx::bench::peers_of(options.verify_only ? "" : options.python, options.peers,
                                          on_gpu ? "cuda" : "cpu");
  const int processors = ddx::bench::processor_count();
  const double seconds = options.quick ? 2 : 6;
  nlohmann::json rows = nlohmann::json::array();
  std::map<std::pair<std::string, int>, double> roofs;
  for (const std::string& name : chosen_workloads(options.only)) {
    ddx::bench::verify_apart(name, options.devices);
    if (options.verify_only) {
      fmt::print("{}: the first losses are those of the naive device\n", name);
      continue;
    }
    if (roofs.empty()) {
      print_heading();
    }
    const TemporaryFile content(name + ".safetensors");
    const TemporaryFile loops(name + ".loops");
    if (!peers.empty()) {
      ddx::bench::write_content(name, content.path);
    }
    const double operations = ddx::bench::workload(name, {}).operations;
    for (const std::string dtype : {"f32", "bf16"}) {
      for (int threads = on_gpu ? processors : 1;
           threads <= (on_gpu ? processors : std::min(2, processors)); ++threads) {
        if (dtype == "bf16" && !options.bf16) {
          continue;
        }
        double& roof = roofs[{dtype, threads}];
        if (roof == 0 && !on_gpu) {
          roof = ddx::bench::roof_apart(dtype, threads);
        }
        const auto group =
            ddx::bench::compare({.name = name,
                                 .dtype = dtype,
                                 .threads = threads,
                                 .seconds = seconds,
                                 .loop_folder = loops.path},
                                options.devices, options.python, peers, content.path);
        for (auto& object : report(group, operations, roof)) {
          rows.push_back(std::move(object));
        }
      }
    }
  }
  for (const auto& [key, roof] : roofs) {
    if (roof == 0) {
      continue;
    }
    fmt::print("roof, {} with {} threads: {:.0f} GFLOP/s (product of 2048 x 2048)\n", key.first,
               key.second, roof);
  }
  return rows;
}

/// The exit status.
int write_rows(const nlohmann::json& rows, const std::filesystem::path& json) {
  if (!json.empty()) {
    std::ofstream file(json);
    file << rows.dump(2) << '\n';
    if (!file.flush()) {
      fmt::print(stderr, "bench_models: --json '{}': cannot be written\n", json.string());
      return 2;
    }
  }
  return 0;
}

/// Flags of XLA's compiler: of NAME=VALUE a bool, an integer, or else a text.
std::vector<ddx::backend::PjrtOption> flags_of(const std::vector<std::string>& texts) {
  std::vector<ddx::backend::PjrtOption> flags;
  for (const std::string& text : texts) {
    const std::size_t equal = text.find('=');
    if (equal == std::string::npos) {
      throw ddx::UsageError("--flag", fmt::format("'{}' is not NAME=VALUE", text));
    }
    ddx::backend::PjrtOption flag{text.substr(0, equal), text.substr(equal + 1)};
    const std::string value = text.substr(equal + 1);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (value == "true" || value == "false") {
      flag.value = value == "true";
    } else if (error == std::errc() && end == value.data() + value.size()) {
      flag.value = number;
    }
    flags.push_back(std::move(flag));
  }
  return flags;
}

/// Compiles the steps for a GPU; the exit status.
int compile_all(const Options& options) {
  if (!ddx::bench::can_compile_for_gpu(options.plugins)) {
    fmt::print(
        "bench_models: no XLA plugin for CUDA in '{}'; tools/install_pjrt_plugin installs "
        "it\n",
        options.plugins.string());
    return skipped;
  }
  nlohmann::json rows = nlohmann::json::array();
  int status = 0;
  for (const std::string& name : chosen_workloads(options.only)) {
    for (const std::string dtype : {"f32", "bf16"}) {
      if (dtype == "bf16" && !options.bf16) {
        continue;
      }
      const auto step = ddx::bench::report_gpu_step({.name = name,
                                                     .dtype = dtype,
                                                     .target = options.target,
                                                     .cards = options.cards,
                                                     .dump = options.dump,
                                                     .flags = flags_of(options.flags)},
                                                    options.python);
      rows.push_back(step.row);
      if (options.bounds && !step.is_within) {
        status = 1;
      }
    }
  }
  return std::max(status, write_rows(rows, options.json));
}

/// Does the one thing that the options ask for in this process, or measures all.
int run(const Options& options) {
  if (options.roof) {
    fmt::print("{}\n", ddx::bench::roof(options.child.dtype));
  } else if (!options.profiled.empty()) {
    fmt::print("{}", ddx::bench::profile(options.profiled, options.bf16));
  } else if (!options.epoch.empty()) {
    fmt::print("{}\n", to_json(ddx::bench::lenet_epoch(options.epoch, options.devices.back())));
  } else if (!options.verified.empty()) {
    ddx::bench::verify(options.verified, options.devices);
  } else if (!options.content.empty()) {
    ddx::bench::write_content(options.child.name, options.content);
  } else if (!options.child.name.empty()) {
    fmt::print("{}\n", to_json(ddx::bench::measure(options.child)));
  } else if (!options.target.empty()) {
    return compile_all(options);
  } else {
    return write_rows(measure_all(options), options.json);
  }
  return 0;
}

const CLI::Validator is_device(
    [](std::string& name) {
      return ddx::device_named(name) ? std::string()
                                     : fmt::format("no device is named '{}'; there are {}", name,
                                                   fmt::join(ddx::device_names(), ", "));
    },
    "DEVICE");

/// The options of measuring processes.
void add_hidden(CLI::App& app, Options& options) {
  app.add_option("--child", options.child.name, "Measure one model here and print it")->group("");
  app.add_option("--write-content", options.content,
                 "With --child: write the parameters and the batch, and measure nothing")
      ->group("");
  app.add_option("--verify-here", options.verified, "Verify one model in this process")->group("");
  app.add_flag("--roof", options.roof, "Measure the processor here")->group("");
  app.add_option("--child-device", options.child.device, "Of --child")->check(is_device)->group("");
  app.add_option("--dtype", options.child.dtype, "Of --child and --roof")->group("");
  app.add_option("--threads", options.child.threads, "Of --child")->group("");
  app.add_option("--seconds", options.child.seconds, "Of --child")->group("");
  app.add_option("--loop-folder", options.child.loop_folder, "Of --child")->group("");
}

void add_options(CLI::App& app, Options& options) {
  app.add_flag("--quick", options.quick, "Fewer steps");
  app.add_flag("--verify", options.verify_only, "Verify, and time nothing");
  app.add_flag("--bf16", options.bf16, "Mixed precision as well");
  app.add_option("--json", options.json,
                 "Write the measurements to this file, an array of flat objects");
  app.add_option("--python", options.python,
                 "The interpreter that may have PyTorch and JAX; none if empty");
  app.add_option("--only", options.only, "Only models whose name begins so");
  app.add_option("--peers", options.peers, "Only peers whose name begins so");
  app.add_option(
      "--profile", options.profiled,
      "Print the kernels of this model's steps on the lazy device, and time nothing else");
  app.add_option("--epoch", options.epoch,
                 "Train LeNet-5 for an epoch on the MNIST files of this folder and the last "
                 "--device, and time nothing else");
  app.add_option("--device", options.devices,
                 "What to measure besides peers (cpu and lazy); may be given repeatedly")
      ->check(is_device);
}

void add_gpu_options(CLI::App& app, Options& options) {
  app.add_option("--compile-for", options.target,
                 "Compile the steps for this GPU (h100, h200, a100), which need not be here, and "
                 "count what they launch, send and read; time nothing");
  app.add_option("--plugins", options.plugins,
                 "Of --compile-for: the folder with XLA's plugin for CUDA");
  app.add_option("--cards", options.cards, "Of --compile-for: how many GPUs share the batch")
      ->check(CLI::Range(1, 64));
  app.add_option("--dump", options.dump,
                 "Of --compile-for: keep what XLA writes of each program in this folder");
  app.add_option("--flag", options.flags,
                 "Of --compile-for: NAME=VALUE, a flag of XLA's compiler; may be given repeatedly");
  app.add_flag("--bounds", options.bounds,
               "Of --compile-for: fail if a step exceeds its recorded bounds, or has none");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times training steps of whole models; verifies their losses first.");
  Options options;
  add_options(app, options);
  add_gpu_options(app, options);
  add_hidden(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    return run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_models: {}\n", error.what());
    return 1;
  }
}
