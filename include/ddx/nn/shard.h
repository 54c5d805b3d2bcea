/// \file
/// Models divided among the devices of a mesh.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/mesh.h"
#include "ddx/core/partition_spec.h"
#include "ddx/core/shape.h"
#include "ddx/nn/path.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/sharding.h"

#include <source_location>
#include <string>

namespace ddx::nn {

/// Puts everything in the model on a mesh. Each tensor, be it a parameter or state of a layer, is
/// divided as `rule(path, shape)` says: a function of `const std::string&`, "layers.0.weight", and
/// `const Shape&` that returns a PartitionSpec; the empty one gives every device all of it, as
/// `move_to(model, mesh.device())` does for all. Where an optimiser keeps arrays of the shape of a
/// parameter, they become divided as that in its first step.
///
/// Throws:  as ddx::shard, naming the path; what the rule throws. The tensors before are on the
///          mesh then.
/// Example: weights of dense layers by columns
///   nn::shard(model, mesh, [](const std::string& path, const Shape&) {
///     return path.ends_with("weight") ? PartitionSpec{{}, "model"} : PartitionSpec{};
///   });
template <class Model, class Rule>
void shard(Model& model, const Mesh& mesh, const Rule& rule,
           const std::source_location& where = std::source_location::current()) {
  visit_state(
      [&](const Path& path, auto& value) {
        if constexpr (requires { value.to(mesh.device()); }) {
          const std::string name = to_string(path);
          const PartitionSpec spec = rule(name, value.shape());
          check_partition(("shard " + name).c_str(), spec, value.shape(), mesh, where);
          value = ddx::shard(value, mesh, spec, where);
        }
      },
      model);
}

}  // namespace ddx::nn
