// What an operation costs on the lazy device besides its kernel: recorded for the first time,
// recorded again, cut, and run; beside the cpu device, on arrays of a few elements.

#include "ddx/backend/lazy.h"
#include "ddx/backend/loop_compilation.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/tensor.h"

#include "command_line.h"
#include "programs.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace {

using ddx::Device;
using ddx::Tensor;
using ddx::bench::Program;

/// Of the operands, where nothing else is said.
constexpr ddx::Shape::Extent elements = 16;

/// What the command line asks for.
struct Options {
  bool quick = false;
  std::filesystem::path json;
};

double seconds_of(const std::function<void()>& body) {
  const auto begin = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The operations that one turn records.
double operations_of(const Program& program) {
  const auto turn = program.prepare(Device::lazy(), elements);
  const auto before = ddx::backend::lazy_statistics().recorded;
  (void)turn();
  return static_cast<double>(ddx::backend::lazy_statistics().recorded - before);
}

/// Throws:  InternalError where the lazy device does not make what the cpu device makes.
void verify(const Program& program) {
  const auto lazy = program.prepare(Device::lazy(), elements);
  const auto eager = program.prepare(Device::cpu(), elements);
  for (int i = 0; i < 3; ++i) {
    if (lazy().values() != eager().values()) {
      throw ddx::InternalError("bench " + program.name,
                               fmt::format("turn {} differs between lazy and cpu", i));
    }
  }
}

/// Samples of one kind of cost, in nanoseconds per operation.
class Samples {
 public:
  void add(double seconds, double operations) { ns_.push_back(1e9 * seconds / operations); }
  [[nodiscard]] double least() const { return *std::ranges::min_element(ns_); }
  [[nodiscard]] double median() const {
    std::vector<double> sorted = ns_;
    std::ranges::sort(sorted);
    return sorted[sorted.size() / 2];
  }

 private:
  std::vector<double> ns_;
};

/// Times one program, prints it, and returns its rows.
nlohmann::json measured(const Program& program, int samples) {
  verify(program);
  ddx::backend::await_loop_compilation();  // Which would take a processor from what is timed.
  const double operations = operations_of(program);
  ddx::backend::lazy_barrier();
  Samples first;
  Samples again;
  Samples cut;
  Samples whole;
  Samples eager;
  const auto eager_turn = program.prepare(Device::cpu(), elements);
  const auto turn = program.prepare(Device::lazy(), elements);
  for (int i = 0; i < samples; ++i) {
    const auto new_turn = program.prepare(Device::lazy(), elements + 1 + i);
    first.add(seconds_of([&] { (void)new_turn(); }), operations);
    ddx::backend::lazy_barrier();
    for (int warm = 0; warm < 2; ++warm) {
      whole.add(seconds_of([&] {
                  const auto y = turn();
                  ddx::backend::lazy_barrier();
                }),
                operations);
    }
    std::optional<Tensor<float>> y;
    again.add(seconds_of([&] { y = turn(); }), operations);
    y.reset();
    cut.add(seconds_of([] { ddx::backend::lazy_barrier(); }), operations);
    eager.add(seconds_of([&] { (void)eager_turn(); }), operations);
  }
  nlohmann::json rows = nlohmann::json::array();
  fmt::print("{:<12} {:>6.0f}", program.name, operations);
  const auto print = [&](const char* name, const Samples& of) {
    fmt::print("  {:>7.1f} ({:>7.1f})", of.least(), of.median());
    rows.push_back({{"name", program.name + "." + name},
                    {"framework", "ddx"},
                    {"ns", of.least()},
                    {"median_ns", of.median()}});
  };
  print("record_first", first);
  print("record_again", again);
  print("cut", cut);
  print("step", whole);
  print("eager", eager);
  fmt::print("\n");
  std::fflush(stdout);
  return rows;
}

/// Measures all programs; returns the exit status.
int measure_all(const Options& options) {
  fmt::print("ns per operation, least (median)\n{:<12} {:>6}", "program", "ops");
  for (const char* column : {"first time", "again", "cut", "step", "cpu device"}) {
    fmt::print("  {:>17}", column);
  }
  fmt::print("\n");
  nlohmann::json rows = nlohmann::json::array();
  for (const Program& program : ddx::bench::programs()) {
    for (auto& row : measured(program, options.quick ? 20 : 200)) {
      rows.push_back(std::move(row));
    }
  }
  return ddx::bench::write_json("bench_trace", options.json, rows);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times what recording on the lazy device costs; verifies its results first.");
  Options options;
  app.add_flag("--quick", options.quick, "Fewer samples");
  app.add_option("--json", options.json,
                 "Write the measurements to this file, an array of flat objects");
  return ddx::bench::run(app, "bench_trace", argc, argv, [&] { return measure_all(options); });
}
