// bench_threads: how programs with parallel loops, and their gradients, gain by a second thread.

#include "ddx/ad.h"

#include "command_line.h"
#include "programs.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace {

using ddx::bench::thread_count;

using Numbers = std::vector<double>;

struct Program {
  std::string name;
  double (*run)(const Numbers&);
  Numbers (*gradient)(const Numbers&);
};

const std::array<Program, 4> programs = {{
    {"functions", ddx::bench::functions,
     [](const Numbers& x) { return ddx::gradient(ddx::bench::functions, x); }},
    {"line", ddx::bench::line, [](const Numbers& x) { return ddx::gradient(ddx::bench::line, x); }},
    {"square", ddx::bench::square,
     [](const Numbers& x) { return ddx::gradient(ddx::bench::square, x); }},
    {"products", ddx::bench::products,
     [](const Numbers& x) { return ddx::gradient(ddx::bench::products, x); }},
}};

Numbers inputs(std::size_t count) {
  Numbers x(count);
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = 0.3 + 0.4 * std::sin(0.001 * static_cast<double>(i));
  }
  return x;
}

/// The error of a gradient along one direction, relative to the sum of the magnitudes: against a
/// central difference of the program.
double error_of(const Program& program, const Numbers& x, const Numbers& gradient) {
  constexpr double step = 1e-5;
  Numbers above = x;
  Numbers below = x;
  double slope = 0;
  double magnitude = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double direction = std::cos(0.37 * static_cast<double>(i));
    above[i] += step * direction;
    below[i] -= step * direction;
    slope += gradient[i] * direction;
    magnitude += std::abs(gradient[i] * direction);
  }
  const double difference = (program.run(above) - program.run(below)) / (2 * step);
  return std::abs(difference - slope) / magnitude;
}

double milliseconds(const auto& run) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  run();
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// Least times of the program and its gradient, by number of threads.
struct Times {
  std::array<double, 2> program;
  std::array<double, 2> gradient;
};

Times measure(const Program& program, const Numbers& x, int samples) {
  constexpr double none = std::numeric_limits<double>::infinity();
  Times least{{none, none}, {none, none}};
  double value = 0;
  for (int sample = 0; sample < samples; ++sample) {
    for (const std::size_t i : {0U, 1U}) {
      thread_count = static_cast<int>(i) + 1;
      least.program[i] = std::min(least.program[i], milliseconds([&] { value += program.run(x); }));
      least.gradient[i] =
          std::min(least.gradient[i], milliseconds([&] { value += program.gradient(x).back(); }));
    }
  }
  return std::isnan(value) ? Times{} : least;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times programs with parallel loops and their gradients; verifies them first.");
  bool quick = false;
  std::filesystem::path json;
  app.add_flag("--quick", quick, "Fewer samples of smaller arrays");
  app.add_option("--json", json, "Write the measurements to this file, an array of flat objects");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  const Numbers x = inputs(quick ? 10'000 : 1'000'000);
  nlohmann::json rows = nlohmann::json::array();
  int status = 0;
  fmt::print(
      "least times in ms on one thread and on two\n{:<10} {:>9} {:>9} {:>5} {:>9} {:>9} {:>5} "
      "{:>8} {:>8}\n",
      "program", "primal", "two", "gain", "gradient", "two", "gain", "ratio", "error");
  for (const Program& program : programs) {
    double error = 0;
    for (const int threads : {1, 2, 3}) {
      thread_count = threads;
      error = std::max(error, error_of(program, x, program.gradient(x)));
    }
    if (!(error < 1e-7)) {
      fmt::print(stderr, "bench_threads: {}: the gradient differs by {:.1e}\n", program.name,
                 error);
      status = 1;
      continue;
    }
    const Times times = measure(program, x, quick ? 3 : 21);
    const double gain = times.program[0] / times.program[1];
    const double gradient_gain = times.gradient[0] / times.gradient[1];
    const double ratio = times.gradient[0] / times.program[0];
    fmt::print("{:<10} {:>9.2f} {:>9.2f} {:>5.2f} {:>9.2f} {:>9.2f} {:>5.2f} {:>8.2f} {:>8.1e}\n",
               program.name, times.program[0], times.program[1], gain, times.gradient[0],
               times.gradient[1], gradient_gain, ratio, error);
    rows.push_back({{"benchmark", "threads"},
                    {"name", program.name},
                    {"primal_ms", times.program[0]},
                    {"primal_gain", gain},
                    {"gradient_ms", times.gradient[0]},
                    {"gradient_gain", gradient_gain},
                    {"ratio", ratio}});
  }
  const int written = ddx::bench::write_json("bench_threads", json, rows);
  return status != 0 ? status : written;
}
