/// \file
/// What a step may launch and send on a GPU at most.

#pragma once

#include "gpu_program.h"

#include <string>
#include <vector>

namespace ddx::bench {

/// What exceeds the recorded bounds of a step, a line each; empty where nothing does, or where
/// nothing is recorded for this workload, dtype and target.
[[nodiscard]] std::vector<std::string> excesses(const GpuStep& step);

/// The launches, and the copies among them, of JAX's step as recorded; of none: zeros.
struct JaxStep {
  int launches = 0;
  int copies = 0;
};
[[nodiscard]] JaxStep recorded_step_of_jax(const GpuStep& step);

}  // namespace ddx::bench
