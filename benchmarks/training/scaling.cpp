#include "scaling.h"

#include "ddx/backend/pjrt.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/mesh.h"
#include "ddx/core/random_key.h"
#include "ddx/data/image_dataset.h"
#include "ddx/models/residual_network.h"
#include "ddx/tensor.h"

#include "network_model.h"
#include "row.h"
#include "training_run.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <vector>

namespace ddx::bench {
namespace {

constexpr std::array<std::int64_t, 7> card_counts = {1, 2, 4, 8, 16, 32, 128};

}  // namespace

std::vector<ScalingRow> predicted_scaling(const Network& network, const Step& step) {
  std::vector<ScalingRow> rows;
  for (const std::int64_t cards : card_counts) {
    rows.push_back({.name = step.overlap > 0 ? "scaling.hidden" : "scaling.exposed",
                    .cards = cards,
                    .examples_per_card = examples_per_card(network, step, cards)});
  }
  return rows;
}

double shortest_scaling_step(const Network& network, const Step& step) {
  constexpr double kept = 0.95;
  const double exchange = all_reduce_seconds(network, step.gradient_bytes, card_counts.back());
  // kept = seconds / (seconds + exchange - overlap * seconds)
  return exchange / (1 / kept - 1 + step.overlap);
}

ScalingRow virtual_scaling(std::int64_t devices, double seconds) {
  constexpr std::int64_t examples = 16;
  backend::set_pjrt_options("cpu", {.cpu_device_count = devices});
  const Mesh mesh({{"data", devices}}, Device::pjrt("cpu"));
  ImageTraining training(models::ResidualNetwork<float>({.blocks = 3}), mesh.device());
  const std::int64_t count = devices * examples;
  const data::ImageBatch batch{
      .images = shard(random_normal<float>(RandomKey(1), {count, 32, 32, 3}), mesh, {"data"}),
      .labels = shard(random_integers<std::int32_t>(RandomKey(2), {count}, 0, 10), mesh, {"data"})};
  const Row row = measured_rate({}, seconds, [&] {
    (void)training.step_on_device(batch);
    return count;
  });
  return {.name = "scaling.virtual",
          .cards = devices,
          .examples_per_card = row.best / static_cast<double>(devices)};
}

void verify_scaling() {
  const Network network;
  constexpr double bytes = 1e8;
  for (const std::int64_t cards : card_counts) {
    // Each card passes on a part of the bytes, at first the sums so far, then the whole sums.
    const bool is_inside = cards <= network.cards_per_machine;
    double seconds = 0;
    for (std::int64_t message = 0; message < 2 * (cards - 1); ++message) {
      seconds += is_inside ? network.inner_latency : network.outer_latency;
      seconds += bytes / static_cast<double>(cards) /
                 (is_inside ? network.inner_bandwidth : network.outer_bandwidth);
    }
    if (!(std::abs(all_reduce_seconds(network, bytes, cards) - seconds) <= 1e-9)) {
      throw InternalError("bench scaling",
                          fmt::format("{} cards exchange their gradients in {} s, by messages {} s",
                                      cards, all_reduce_seconds(network, bytes, cards), seconds));
    }
  }
  const Step step{.seconds = 1, .examples = 1, .gradient_bytes = bytes};
  const double shortest = shortest_scaling_step(network, step);
  const Step scaled{.seconds = shortest, .examples = 1, .gradient_bytes = bytes};
  const double kept = examples_per_card(network, scaled, 128) * shortest;
  if (!(std::abs(kept - 0.95) <= 1e-9)) {
    throw InternalError("bench scaling",
                        fmt::format("128 cards with the shortest step keep {} of the rate", kept));
  }
}

}  // namespace ddx::bench
