/// \file
/// Data-parallel training on several devices: predicted for cards, measured on virtual ones.

#pragma once

#include "ddx/core/device.h"

#include "network_model.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ddx::bench {

/// The rate of each of several devices.
struct ScalingRow {
  std::string name;  ///< "scaling.hidden", "scaling.exposed" or "scaling.virtual".
  std::int64_t cards = 1;
  double examples_per_card = 0;  ///< Per second.
};

/// The bytes of the gradients of ResNet-50 in f32.
inline constexpr double resnet50_gradient_bytes = 4.0 * 25557032;

/// The prediction of the model of the network for 1 to 128 cards: "scaling.hidden" where the step
/// hides a share of the exchange, "scaling.exposed" where all of it follows the step.
[[nodiscard]] std::vector<ScalingRow> predicted_scaling(const Network& network, const Step& step);

/// The shortest step, in seconds, with which 128 cards keep 95 % of the rate of one.
[[nodiscard]] double shortest_scaling_step(const Network& network, const Step& step);

/// In a process of its own: ResNet-20 on so many virtual devices of XLA's plugin for CPUs, each
/// with 16 examples of a batch.
///
/// Throws:  EnvironmentError where there is no such plugin.
[[nodiscard]] ScalingRow virtual_scaling(std::int64_t devices, double seconds);

/// Throws:  InternalError where the exchange of gradients does not take as long as its messages.
void verify_scaling();

}  // namespace ddx::bench
