#include "network_model.h"

#include <algorithm>
#include <cstdint>

namespace ddx::bench {

double all_reduce_seconds(const Network& network, double bytes, std::int64_t cards) {
  const auto n = static_cast<double>(cards);
  const bool is_inside = cards <= network.cards_per_machine;
  const double bandwidth = is_inside ? network.inner_bandwidth : network.outer_bandwidth;
  const double latency = is_inside ? network.inner_latency : network.outer_latency;
  return 2 * (n - 1) / n * bytes / bandwidth + 2 * (n - 1) * latency;
}

double examples_per_card(const Network& network, const Step& step, std::int64_t cards) {
  const double exchange = all_reduce_seconds(network, step.gradient_bytes, cards);
  const double exposed = std::max(0.0, exchange - step.overlap * step.seconds);
  return static_cast<double>(step.examples) / (step.seconds + exposed);
}

}  // namespace ddx::bench
