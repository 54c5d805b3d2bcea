/// \file
/// The rows of the table.

#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace ddx::bench {

/// The rate of one activity.
struct Row {
  std::string name;    ///< The table and what is measured: "pipeline.decode".
  std::string device;  ///< Of the step; empty where there is none.
  int threads = 1;     ///< The processors that the process may use.
  double best = 0;     ///< Examples per second, the largest of the samples,
  double median = 0;   ///< and in the middle.
};

/// Samples of the rate of an activity.
///
/// `activity()` returns how many examples it has processed. It is called once to warm up, then at
/// least three times and until `seconds` are over.
template <class Activity>
[[nodiscard]] Row measured_rate(const Row& row, double seconds, const Activity& activity);

/// The row with the best and the median of these rates, of which there is one or more.
[[nodiscard]] Row with_rates(Row row, std::vector<double> rates);

/// Seconds of a clock that never goes back.
[[nodiscard]] double now();

void print_heading();
void print(const Row& row);

/// As a flat object, and back.
[[nodiscard]] nlohmann::json to_object(const Row& row);
[[nodiscard]] Row from_object(const nlohmann::json& object);

// Implementation.

template <class Activity>
Row measured_rate(const Row& row, double seconds, const Activity& activity) {
  constexpr std::size_t least = 3;
  (void)activity();
  std::vector<double> rates;
  const double end = now() + seconds;
  while (rates.size() < least || now() < end) {
    const double begin = now();
    const auto examples = static_cast<double>(activity());
    rates.push_back(examples / (now() - begin));
  }
  return with_rates(row, std::move(rates));
}

}  // namespace ddx::bench
