// Single tensor operations on the cpu device: verified against the naive device, then timed.

#include "ddx/core/device.h"
#include "ddx/core/error.h"

#include "command_line.h"
#include "measure.h"
#include "operation.h"
#include "serve.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sched.h>
#include <string>
#include <vector>

namespace {

using ddx::bench::Operation;
using ddx::bench::Unit;

/// The command-line options.
struct Options {
  bool quick = false;
  bool serve = false;
  int threads = 0;
  std::filesystem::path json;
  std::string only;
};

/// Limits this process to its last `count` processors, all where 0; returns how many those are.
int use_processors(int count) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  sched_getaffinity(0, sizeof allowed, &allowed);
  for (std::size_t i = 0; count > 0 && CPU_COUNT(&allowed) > count && i < CPU_SETSIZE; ++i) {
    CPU_CLR(i, &allowed);
  }
  sched_setaffinity(0, sizeof allowed, &allowed);
  return CPU_COUNT(&allowed);
}

/// Times one operation, prints it, and returns it as a row.
nlohmann::json measured(const Operation& operation, bool quick, int threads) {
  ddx::bench::verify(operation);
  std::vector<double> ns = ddx::bench::times_of(operation.prepare(ddx::Device::cpu()),
                                                quick ? 0.002 : 0.02, quick ? 5 : 15);
  std::ranges::sort(ns);
  const double least = ns.front();
  const double median = ns[ns.size() / 2];
  fmt::print("{:<30} {:<31} {:>12.0f} {:>12.0f} {:>7.1f} {}\n", operation.name, operation.shapes(),
             least, median, operation.work / least,
             operation.unit == Unit::GigabytesPerSecond ? "GB/s" : "GFLOP/s");
  std::fflush(stdout);
  return {{"name", operation.name}, {"framework", "ddx"}, {"shape", operation.shapes()},
          {"dtype", "f32"},         {"threads", threads}, {"ns", least},
          {"median_ns", median}};
}

/// Whether the naive device would be slow.
bool is_large(const Operation& operation) {
  return std::ranges::any_of(operation.operands,
                             [](const auto& x) { return x.shape.count() > 1 << 19; });
}

/// Measures as requested; returns the exit status.
int measure_all(const Options& options) {
  const int threads = use_processors(options.threads);
  if (options.serve) {
    ddx::bench::serve();
    return 0;
  }
  fmt::print("{:<30} {:<31} {:>12} {:>12} {:>12}\n", "operation", "shapes",
             fmt::format("ns, {} thr", threads), "median ns", "rate");
  nlohmann::json rows = nlohmann::json::array();
  int status = 0;
  for (const Operation& operation : ddx::bench::operations()) {
    if (!operation.name.starts_with(options.only) || (options.quick && is_large(operation))) {
      continue;
    }
    try {
      rows.push_back(measured(operation, options.quick, threads));
    } catch (const ddx::InternalError& error) {
      fmt::print(stderr, "bench_ops: {}\n", error.what());
      status = 1;
    }
  }
  if (rows.empty() && status == 0) {
    fmt::print(stderr, "bench_ops: --only '{}': no operation's name begins so\n", options.only);
    return 2;
  }
  const int written = ddx::bench::write_json("bench_ops", options.json, rows);
  return written == 0 ? status : written;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times single tensor operations; verifies them first.");
  Options options;
  app.add_flag("--quick", options.quick,
               "Fewer and shorter samples, no operand above 2^19 elements");
  app.add_option("--json", options.json,
                 "Write the measurements to this file, an array of flat objects");
  app.add_option("--threads", options.threads, "The processors to use; all where it is 0")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--only", options.only, "Only operations whose name begins so");
  app.add_flag("--serve", options.serve, "Measure at the command of another program")->group("");
  return ddx::bench::run(app, "bench_ops", argc, argv, [&] { return measure_all(options); });
}
