/// \file
/// Sends one replica's tensor to all.

#pragma once

#include "ddx/ad/attributes.h"
#include "ddx/ad/results.h"
#include "ddx/ad/vjp.h"
#include "ddx/core/dtype.h"
#include "ddx/distributed/cross_replica.h"
#include "ddx/distributed/detail/collective.h"
#include "ddx/distributed/detail/run_collective.h"
#include "ddx/distributed/detail/tangents.h"
#include "ddx/distributed/process_group.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>
#include <utility>

namespace ddx::distributed {

/// The tensor of replica `root`, on each replica.
///
/// Shapes:   x [...], equal on all replicas -> [...]
/// Throws:   UsageError if there is no such replica, or the replicas' operations, roots, shapes or
///           element types differ; names both. EnvironmentError if a replica does not respond.
/// Gradient: on the root the sum of the replicas' cotangents, on others zero; all replicas take
///           part.
/// Cost:     the root sends the tensor twice, for any number of replicas, up to 8 KiB n - 1 times.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> broadcast(
    const Tensor<Scalar>& x, const ProcessGroup& group, std::int64_t root = 0,
    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::run_collective(
      group, {.kind = detail::CollectiveKind::Broadcast, .operation = "broadcast", .root = root},
      x.array(), where));
}

// Primal:  y_s = x_root on every replica s
// Adjoint: adj[x_root] += sum_s adj[y_s]
// Saves:   the shape
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(broadcast)
auto broadcast_vjp(const Tensor<Scalar>& x, const ProcessGroup& group, std::int64_t root,
                   std::source_location where) {
  return vjp(broadcast(x, group, root, where),
             [shape = x.shape(), device = x.device(), group, root](const Tensor<Scalar>& dy) {
               const auto sum = cross_replica_sum(detail::sent_tangent(dy, shape, device), group);
               return group.rank() == root ? sum : zeros<Scalar>(shape, device);
             });
}

// Tangent: that of the root
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(broadcast)
auto broadcast_jvp(const Tensor<Scalar>& x, const ProcessGroup& group, std::int64_t root,
                   std::source_location where, const Tensor<Scalar>& dx) {
  auto y = broadcast(x, group, root, where);
  auto dy = broadcast(detail::sent_tangent(dx, x.shape(), x.device()), group, root, where);
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{std::move(y), std::move(dy)};
}

}  // namespace ddx::distributed
