/// \file
/// Counts of the work in a model.

#pragma once

#include <cstdint>

namespace ddx::bench {

/// Multiplications of a convolution of `kernel` by `kernel` with `places` results per channel.
constexpr double convolution(std::int64_t places, std::int64_t kernel, std::int64_t in,
                             std::int64_t out) {
  return static_cast<double>(places * kernel * kernel * in * out);
}

/// Operations of a step: each multiplication of the forward pass comes with an addition, and the
/// pullback has twice as many, except that the first layer's input needs no gradient.
constexpr double operations_of_step(double forward, double first_layer) {
  return 2 * (3 * forward - first_layer);
}

}  // namespace ddx::bench
