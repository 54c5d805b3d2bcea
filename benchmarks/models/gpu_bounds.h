/// \file
/// What a step may launch and send on a GPU at most.

#pragma once

#include "gpu_program.h"

#include <optional>
#include <string>
#include <vector>

namespace ddx::bench {

/// What exceeds the recorded bounds of a step, a line each; none where no bounds are recorded for
/// this workload, dtype, target and number of cards.
[[nodiscard]] std::optional<std::vector<std::string>> excesses(const GpuStep& step);

/// The launches of JAX's step, and the copies among them.
struct JaxStep {
  int launches = 0;
  int copies = 0;
};

/// JAX's step as it was recorded; none where it was not.
[[nodiscard]] std::optional<JaxStep> recorded_step_of_jax(const GpuStep& step);

}  // namespace ddx::bench
