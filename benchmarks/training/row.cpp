#include "row.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace ddx::bench {

Row with_rates(Row row, std::vector<double> rates) {
  std::ranges::sort(rates);
  row.best = rates.back();
  row.median = rates[rates.size() / 2];
  return row;
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void print_heading() {
  fmt::print("{:<28} {:<10} {:>7} {:>12} {:>12} {:>14} {:>12}\n", "what", "device", "threads",
             "examples/s", "median", "per thread", "us each");
}

void print(const Row& row) {
  fmt::print("{:<28} {:<10} {:>7} {:>12.1f} {:>12.1f} {:>14.1f} {:>12.1f}\n", row.name, row.device,
             row.threads, row.best, row.median, row.best / row.threads, 1e6 / row.best);
  std::fflush(stdout);
}

nlohmann::json to_object(const Row& row) {
  return {{"name", row.name},
          {"framework", "ddx"},
          {"device", row.device},
          {"threads", row.threads},
          {"examples_per_s", row.best},
          {"median_examples_per_s", row.median},
          {"examples_per_s_per_thread", row.best / row.threads}};
}

Row from_object(const nlohmann::json& object) {
  return {.name = object.at("name"),
          .device = object.at("device"),
          .threads = object.at("threads"),
          .best = object.at("examples_per_s"),
          .median = object.at("median_examples_per_s")};
}

}  // namespace ddx::bench
