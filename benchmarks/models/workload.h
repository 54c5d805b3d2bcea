/// \file
/// The models to train, each with its batch and its optimiser.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/mesh.h"
#include "ddx/io/stored_tensor.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ddx::bench {

/// A model in training: forward, loss, gradient, update on one fixed batch. Copies train the same
/// model.
struct Workload {
  std::function<double()> step;  ///< Takes a step and returns the loss before it.
  /// The data that another framework needs to take the same steps: the model's parameters by path,
  /// and the batch as "x" and "labels".
  std::function<io::StoredTensors()> content;
  /// Multiplications and additions of a step in dense layers, convolutions and attention.
  double operations = 0;
};

/// The options of a workload.
struct WorkloadOptions {
  Device device = {};
  std::optional<Mesh> mesh = {};  ///< Divides the batch over its axis "data"; in place of `device`.
  bool bf16 = false;              ///< Computes in bf16, with parameters, loss and update in f32.
  bool small = false;  ///< A narrower model and batch of the same form, for verification.
};

/// The names known to `workload`.
[[nodiscard]] std::vector<std::string> workload_names();

/// A new workload with the same numbers at each call, on any device.
///
/// Throws:  UsageError if there is none of that name.
[[nodiscard]] Workload workload(const std::string& name, const WorkloadOptions& options);

}  // namespace ddx::bench
