/// \file
/// The models that are trained, each with its batch and its optimiser.

#pragma once

#include "ddx/core/device.h"

#include <functional>
#include <string>
#include <vector>

namespace ddx::bench {

/// A model in training: forward, loss, gradient, update on one fixed batch. Copies train the same
/// model.
struct Workload {
  std::function<double()> step;  ///< Takes a step and returns the loss before it.
};

/// The names that `workload` knows.
[[nodiscard]] std::vector<std::string> workload_names();

/// A fresh workload; the same numbers at each call, on any device.
///
/// Throws:  UsageError where there is none of that name.
[[nodiscard]] Workload workload(const std::string& name, Device device);

}  // namespace ddx::bench
