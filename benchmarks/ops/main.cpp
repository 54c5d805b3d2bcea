// Single tensor operations on the cpu device: verified against the naive device, then timed.

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/tensor.h"

#include "operation.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sched.h>
#include <string>

namespace {

using ddx::bench::Operation;
using ddx::bench::Unit;
using Compute = std::function<ddx::Tensor<float>()>;

double seconds(const Compute& compute, long repetitions) {
  const auto begin = std::chrono::steady_clock::now();
  for (long i = 0; i < repetitions; ++i) {
    (void)compute();
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Throws: InternalError where a result on the cpu is not that of the naive device.
void verify(const Operation& operation) {
  const auto expected = operation.prepare(ddx::Device::naive())();
  const auto got = operation.prepare(ddx::Device::cpu())();
  double largest = 1;
  for (const float x : expected.elements()) {
    largest = std::max(largest, static_cast<double>(std::abs(x)));
  }
  for (std::size_t i = 0; i < expected.elements().size(); ++i) {
    const auto want = static_cast<double>(expected.elements()[i]);
    const auto have = static_cast<double>(got.elements()[i]);
    if (!(std::abs(want - have) <= 2e-5 * largest)) {
      throw ddx::InternalError(
          "bench " + operation.name,
          fmt::format("element {} on {} is {}, on naive {}", i, operation.shape, have, want));
    }
  }
}

/// Nanoseconds of one call: the least of several samples.
double time_of(const Operation& operation, bool quick) {
  const double sample = quick ? 0.002 : 0.02;
  const int samples = quick ? 5 : 15;
  const Compute compute = operation.prepare(ddx::Device::cpu());
  (void)seconds(compute, 2);
  const long repetitions =
      std::max(1L, std::lround(sample / std::max(seconds(compute, 3) / 3, 1e-8)));
  double best = seconds(compute, repetitions);
  for (int i = 1; i < samples; ++i) {
    best = std::min(best, seconds(compute, repetitions));
  }
  return 1e9 * best / static_cast<double>(repetitions);
}

/// Limits this process to its first `count` processors, all where 0; returns how many those are.
int use_processors(int count) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  sched_getaffinity(0, sizeof allowed, &allowed);
  for (std::size_t i = CPU_SETSIZE; count > 0 && CPU_COUNT(&allowed) > count && i-- > 0;) {
    CPU_CLR(i, &allowed);
  }
  sched_setaffinity(0, sizeof allowed, &allowed);
  return CPU_COUNT(&allowed);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times single tensor operations; verifies them first.");
  bool quick = false;
  int threads = 0;
  std::filesystem::path json;
  std::string only;
  app.add_flag("--quick", quick, "Fewer and shorter samples");
  app.add_option("--json", json, "Write the measurements to this file, an array of flat objects");
  app.add_option("--threads", threads, "The processors to use; all where it is 0")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--only", only, "Only operations whose name begins so");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  threads = use_processors(threads);
  fmt::print("{:<25} {:<31} {:>12} {:>14}\n", "operation", "shapes",
             fmt::format("ns, {} thr", threads), "rate");
  nlohmann::json rows = nlohmann::json::array();
  int status = 0;
  for (const Operation& operation : ddx::bench::operations()) {
    if (!operation.name.starts_with(only)) {
      continue;
    }
    try {
      verify(operation);
      const double ns = time_of(operation, quick);
      fmt::print("{:<25} {:<31} {:>12.0f} {:>7.1f} {}\n", operation.name, operation.shape, ns,
                 operation.work / ns,
                 operation.unit == Unit::GigabytesPerSecond ? "GB/s" : "GFLOP/s");
      std::fflush(stdout);
      rows.push_back({{"name", operation.name},
                      {"framework", "ddx"},
                      {"shape", operation.shape},
                      {"dtype", "f32"},
                      {"threads", threads},
                      {"ns", ns}});
    } catch (const ddx::Error& error) {
      fmt::print(stderr, "bench_ops: {}\n", error.what());
      status = 1;
    }
  }
  if (!json.empty()) {
    std::ofstream file(json);
    file << rows.dump(2) << '\n';
    if (!file.flush()) {
      fmt::print(stderr, "bench_ops: --json '{}': cannot be written\n", json.string());
      return 2;
    }
  }
  return status;
}
