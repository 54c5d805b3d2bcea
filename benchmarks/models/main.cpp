// Training steps of whole models, next to PyTorch's in the same run where that is installed.

#include "ddx/core/error.h"

#include "measure.h"
#include "process.h"
#include "workload.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ddx::bench {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Measurement, name, framework, mode, device, dtype, threads,
                                   median_ms, min_ms, compile_s, peak_rss_mb)

}  // namespace ddx::bench

namespace {

using ddx::bench::Measurement;

/// What the command line asks for.
struct Options {
  bool quick = false;
  std::filesystem::path json;
  std::string python = "python3";
  std::string only;
  std::string child;
  int threads = 1;

  [[nodiscard]] double seconds() const { return quick ? 2 : 6; }
};

/// One configuration in a process of its own, so that first step and memory are its own.
Measurement measure_apart(const Options& options, const std::string& name, int threads) {
  std::vector<std::string> command{"/proc/self/exe", "--child", name, "--threads",
                                   std::to_string(threads)};
  if (options.quick) {
    command.emplace_back("--quick");
  }
  const auto [status, output] = ddx::bench::run(command, threads, false);
  if (status != 0) {
    throw ddx::InternalError("bench " + name,
                             "the measuring process ended with " + std::to_string(status));
  }
  return nlohmann::json::parse(output).get<Measurement>();
}

bool has_torch(const std::string& python) {
  return !python.empty() && ddx::bench::run({python, "-c", "import torch"}, 0, true).status == 0;
}

/// The same configuration of PyTorch; nothing where its process fails.
std::optional<Measurement> measure_torch(const Options& options, const std::string& name,
                                         int threads) {
  const auto [status, output] =
      ddx::bench::run({options.python, DDX_BENCH_TORCH, "--workload", name, "--threads",
                       std::to_string(threads), "--seconds", fmt::format("{}", options.seconds())},
                      threads, false);
  if (status != 0) {
    return std::nullopt;
  }
  return nlohmann::json::parse(output).get<Measurement>();
}

void print_heading() {
  fmt::print("{:<7} {:<7} {:>7} {:>10} {:>10} {:>9} {:>8}  {}\n", "model", "by", "threads",
             "median ms", "min ms", "first s", "peak MB", "torch / ddx (min, median)");
}

void print_row(const Measurement& m, const std::string& note) {
  fmt::print("{:<7} {:<7} {:>7} {:>10.3f} {:>10.3f} {:>9.3f} {:>8.0f}  {}\n", m.name, m.framework,
             m.threads, m.median_ms, m.min_ms, m.compile_s, m.peak_rss_mb, note);
  std::fflush(stdout);
}

/// Measures one configuration here and in PyTorch, and appends the rows.
void compare(const Options& options, const std::string& name, int threads, bool torch,
             std::vector<Measurement>& rows) {
  const Measurement own = measure_apart(options, name, threads);
  print_row(own, "");
  rows.push_back(own);
  if (!torch) {
    return;
  }
  const std::optional<Measurement> other = measure_torch(options, name, threads);
  if (!other) {
    fmt::print(stderr, "bench_models: PyTorch failed on {} with {} threads\n", name, threads);
    return;
  }
  print_row(*other, fmt::format("{:.2f}, {:.2f}", other->min_ms / own.min_ms,
                                other->median_ms / own.median_ms));
  rows.push_back(*other);
}

std::vector<Measurement> measure_all(const Options& options) {
  const bool torch = has_torch(options.python);
  print_heading();
  std::vector<Measurement> rows;
  for (const std::string& name : ddx::bench::workload_names()) {
    if (!name.starts_with(options.only)) {
      continue;
    }
    ddx::bench::verify(name);
    for (const int threads : {1, 2}) {
      if (threads <= ddx::bench::processor_count()) {
        compare(options, name, threads, torch, rows);
      }
    }
  }
  if (!torch && !options.python.empty()) {
    fmt::print("PyTorch is not importable by '{}': no comparison. --python names another.\n",
               options.python);
  }
  return rows;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times training steps of whole models; verifies their losses first.");
  Options options;
  app.add_flag("--quick", options.quick, "Fewer steps");
  app.add_option("--json", options.json,
                 "Write the measurements to this file, an array of flat objects");
  app.add_option("--python", options.python,
                 "The interpreter that may have PyTorch; none if empty");
  app.add_option("--only", options.only, "Only models whose name begins so");
  app.add_option("--child", options.child, "Measure one model here and print it")->group("");
  app.add_option("--threads", options.threads, "Of --child")->group("");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    if (!options.child.empty()) {
      const nlohmann::json row =
          ddx::bench::measure(options.child, options.threads, options.seconds());
      fmt::print("{}\n", row.dump());
      return 0;
    }
    const nlohmann::json rows = measure_all(options);
    if (!options.json.empty()) {
      std::ofstream file(options.json);
      file << rows.dump(2) << '\n';
      if (!file.flush()) {
        fmt::print(stderr, "bench_models: --json '{}': cannot be written\n", options.json.string());
        return 2;
      }
    }
  } catch (const ddx::Error& error) {
    fmt::print(stderr, "bench_models: {}\n", error.what());
    return 1;
  }
  return 0;
}
