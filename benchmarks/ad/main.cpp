// Gradients of ordinary C++ programs, as multiples of the time of the programs.

#include "ddx/core/error.h"

#include "measure.h"
#include "problem.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace {

using ddx::bench::Measurement;
using ddx::bench::opaque;
using ddx::bench::Problem;

/// A name and how to make the problem of that name.
using Row = std::pair<std::string, std::function<Problem()>>;

std::vector<Row> table(const std::filesystem::path& data) {
  std::vector<Row> rows;
  for (const auto& [dimensions, components] :
       {std::pair{2, 5}, {10, 5}, {10, 25}, {20, 25}, {32, 25}}) {
    rows.emplace_back(fmt::format("gmm_d{}_k{}", dimensions, components),
                      [=] { return ddx::bench::gmm_problem(data, dimensions, components); });
  }
  for (const char* size : {"l2_c1024", "l4_c1024"}) {
    rows.emplace_back(std::string("lstm_") + size,
                      [=] { return ddx::bench::lstm_problem(data, size); });
  }
  rows.emplace_back("ba", [=] { return ddx::bench::ba_problem(data, "ba1_n49_m7776_p31843"); });
  rows.emplace_back("llsq", [] { return ddx::bench::llsq_problem(opaque(4000), opaque(64)); });
  rows.emplace_back("lse", [] { return ddx::bench::lse_problem(opaque(100000)); });
  rows.emplace_back("rk4", [] { return ddx::bench::rk4_problem(opaque(100), opaque(1000)); });
  rows.emplace_back("newton", [] { return ddx::bench::newton_problem(opaque(1000), opaque(8)); });
  rows.emplace_back("vectors", [] { return ddx::bench::vectors_problem(opaque(20000)); });
  rows.emplace_back("mlp", [] {
    return ddx::bench::mlp_problem(opaque(32), opaque(64), opaque(128), opaque(10));
  });
  rows.emplace_back("shapes", [] { return ddx::bench::shapes_problem(opaque(2000), opaque(16)); });
  rows.emplace_back("hand", [=] { return ddx::bench::hand_problem(data, "hand1_t26_c100"); });
  rows.emplace_back("ode", [] { return ddx::bench::ode_problem(opaque(50), opaque(200)); });
  rows.emplace_back("determinant", [] { return ddx::bench::determinant_problem(opaque(7)); });
  rows.emplace_back("kmeans",
                    [] { return ddx::bench::kmeans_problem(opaque(2000), opaque(8), opaque(16)); });
  rows.emplace_back("black_scholes",
                    [] { return ddx::bench::black_scholes_problem(opaque(2000)); });
  rows.emplace_back("heat", [] { return ddx::bench::heat_problem(opaque(64), opaque(200)); });
  rows.emplace_back("shallow_water",
                    [] { return ddx::bench::shallow_water_problem(opaque(48), opaque(50)); });
  rows.emplace_back("particle", [] { return ddx::bench::particle_problem(1e-3); });
  rows.emplace_back("saddle", [] { return ddx::bench::saddle_problem(); });
  rows.emplace_back("tridiagonal", [] { return ddx::bench::tridiagonal_problem(opaque(1000)); });
  rows.emplace_back("memory_stencil",
                    [] { return ddx::bench::memory_stencil_problem(opaque(20000), opaque(20)); });
  rows.emplace_back("memory_list", [] { return ddx::bench::memory_list_problem(opaque(20000)); });
  rows.emplace_back("memory_tree", [] { return ddx::bench::memory_tree_problem(opaque(20000)); });
  rows.emplace_back("memory_rows", [] { return ddx::bench::memory_rows_problem(opaque(20000)); });
  rows.emplace_back("memory_matrix", [] { return ddx::bench::memory_matrix_problem(opaque(48)); });
  return rows;
}

nlohmann::json as_json(const Measurement& m) {
  return {{"name", m.name},
          {"primal_ms", m.primal_ms},
          {"gradient_ms", m.gradient_ms},
          {"ratio", m.ratio},
          {"median_ratio", m.median_ratio},
          {"hand_ratio", m.hand_ratio},
          {"hvp_ratio", m.hvp_ratio},
          {"residual_bytes", m.residual_bytes}};
}

std::string or_dash(double ratio) {
  return ratio == 0 ? "-" : fmt::format("{:.2f}", ratio);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times compiled gradients against their programs; verifies them first.");
  bool quick = false;
  std::filesystem::path json;
  std::filesystem::path data = DDX_BENCH_DATA;
  std::string only;
  app.add_flag("--quick", quick, "Fewer and shorter samples");
  app.add_option("--json", json, "Write the measurements to this file, an array of flat objects");
  app.add_option("--data", data, "Folder of ADBench's inputs");
  app.add_option("--only", only, "Only problems whose name begins so");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }

  const ddx::bench::Effort effort = quick ? ddx::bench::Effort{5, 0.005} : ddx::bench::Effort{};
  fmt::print("{:<18} {:>11} {:>12} {:>7} {:>7} {:>7} {:>7} {:>10} {:>8}\n", "problem", "primal us",
             "gradient us", "ratio", "median", "hand", "hvp", "residuals", "error");
  nlohmann::json measurements = nlohmann::json::array();
  int status = 0;
  for (const auto& [name, make] : table(data)) {
    if (!name.starts_with(only)) {
      continue;
    }
    try {
      Problem problem = make();
      problem.name = name;
      const Measurement m = ddx::bench::measure(problem, effort);
      fmt::print("{:<18} {:>11.2f} {:>12.2f} {:>7.2f} {:>7.2f} {:>7} {:>7} {:>10} {:>8.1e}\n",
                 m.name, 1e3 * m.primal_ms, 1e3 * m.gradient_ms, m.ratio, m.median_ratio,
                 or_dash(m.hand_ratio), or_dash(m.hvp_ratio), m.residual_bytes, m.error);
      std::fflush(stdout);
      measurements.push_back(as_json(m));
    } catch (const ddx::Error& error) {
      fmt::print(stderr, "bench_ad: {}\n", error.what());
      status = 1;
    }
  }
  if (measurements.empty() && status == 0) {
    fmt::print(stderr, "bench_ad: --only '{}': no problem's name begins so\n", only);
    return 2;
  }
  if (!json.empty()) {
    std::ofstream file(json);
    file << measurements.dump(2) << '\n';
    if (!file.flush()) {
      fmt::print(stderr, "bench_ad: --json '{}': cannot be written\n", json.string());
      return 2;
    }
  }
  return status;
}
