// How well the operations of short programs are fused: on the lazy device, next to the cpu device.

#include "ddx/backend/lazy.h"
#include "ddx/backend/loop_compilation.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/tensor.h"

#include "command_line.h"
#include "operand.h"
#include "programs.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace {

using ddx::Device;
using ddx::Tensor;
using ddx::bench::Operands;
using ddx::bench::Program;

/// The command-line options.
struct Options {
  bool quick = false;
  std::string only;
  std::filesystem::path json;
};

/// The results of a program on a device.
std::vector<std::vector<float>> results_of(const Program& program, Device device) {
  Operands operands(program.operands, device);
  std::vector<std::vector<float>> results;
  for (const Tensor<float>& result : program.run(operands)) {
    results.push_back(result.values());
  }
  return results;
}

/// Throws:  InternalError if the results of the lazy and the cpu device differ.
void verify(const Program& program) {
  const auto lazy = results_of(program, Device::lazy());
  const auto eager = results_of(program, Device::cpu());
  for (std::size_t i = 0; i < eager.size(); ++i) {
    double largest = 1;
    for (const float x : eager[i]) {
      largest = std::max(largest, std::abs(static_cast<double>(x)));
    }
    for (std::size_t k = 0; k < eager[i].size(); ++k) {
      if (!(std::abs(lazy[i][k] - eager[i][k]) <= 1e-5 * largest)) {
        throw ddx::InternalError("bench " + program.name,
                                 fmt::format("element {} of result {} is {} on lazy, {} on cpu", k,
                                             i, lazy[i][k], eager[i][k]));
      }
    }
  }
}

/// For each result, the sum of its elements times the cosine of their indices, which another
/// program can compare.
std::vector<double> weighted_sums(const Program& program) {
  std::vector<double> sums;
  for (const std::vector<float>& result : results_of(program, Device::lazy())) {
    double sum = 0;
    for (std::size_t i = 0; i < result.size(); ++i) {
      sum += static_cast<double>(result[i]) * std::cos(static_cast<double>(i));
    }
    sums.push_back(sum);
  }
  return sums;
}

/// Milliseconds of single runs.
std::vector<double> times_of(const Program& program, Device device, int samples) {
  Operands operands(program.operands, device);
  const auto run = [&] {
    const auto begin = std::chrono::steady_clock::now();
    const std::vector<Tensor<float>> results = program.run(operands);
    if (device == Device::lazy()) {
      ddx::backend::lazy_barrier();
    }
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    return time.count();
  };
  (void)run();
  ddx::backend::await_loop_compilation();
  for (int i = 0; i < 5; ++i) {
    (void)run();
  }
  std::vector<double> times;
  for (int i = 0; i < samples; ++i) {
    times.push_back(run());
  }
  std::ranges::sort(times);
  return times;
}

/// Measures all programs; returns the exit status.
int measure_all(const Options& options) {
  const int samples = options.quick ? 20 : 100;
  fmt::print("{:<24} {:>10} {:>10} {:>10} {:>10}\n", "ms", "lazy", "median", "cpu", "median");
  nlohmann::json rows = nlohmann::json::array();
  for (const Program& program : ddx::bench::programs()) {
    if (!program.name.starts_with(options.only)) {
      continue;
    }
    verify(program);
    const auto lazy = times_of(program, Device::lazy(), samples);
    const auto eager = times_of(program, Device::cpu(), samples);
    const std::size_t middle = lazy.size() / 2;
    fmt::print("{:<24} {:>10.3f} {:>10.3f} {:>10.3f} {:>10.3f}\n", program.name, lazy[0],
               lazy[middle], eager[0], eager[middle]);
    std::fflush(stdout);
    rows.push_back({{"name", program.name},
                    {"framework", "ddx"},
                    {"ms", lazy[0]},
                    {"median_ms", lazy[middle]},
                    {"eager_ms", eager[0]},
                    {"eager_median_ms", eager[middle]},
                    {"sums", weighted_sums(program)}});
  }
  return ddx::bench::write_json("bench_fusion", options.json, rows);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times programs of a few operations on the lazy device; verifies them first.");
  Options options;
  app.add_flag("--quick", options.quick, "Fewer samples");
  app.add_option("--only", options.only, "Programs whose name begins so");
  app.add_option("--json", options.json, "Write the measurements to this file");
  return ddx::bench::run(app, "bench_fusion", argc, argv, [&] { return measure_all(options); });
}
