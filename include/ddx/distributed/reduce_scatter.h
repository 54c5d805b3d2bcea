/// \file
/// Sums over the replicas, of which each replica gets a part.

#pragma once

#include "ddx/ad/attributes.h"
#include "ddx/ad/results.h"
#include "ddx/ad/vjp.h"
#include "ddx/core/dtype.h"
#include "ddx/distributed/all_gather.h"
#include "ddx/distributed/detail/collective.h"
#include "ddx/distributed/detail/run_collective.h"
#include "ddx/distributed/detail/tangents.h"
#include "ddx/distributed/process_group.h"
#include "ddx/tensor/tensor.h"

#include <source_location>
#include <utility>

namespace ddx::distributed {

/// The sum of the replicas' tensors, divided along the first axis: replica r gets the r-th of n
/// equal parts.
///
/// Shapes:   x [n a, b...], equal on all replicas -> [a, b...]
/// DTypes:   as cross_replica_sum.
/// Throws:   UsageError if the first axis is not a multiple of the number of replicas, or the
///           replicas' operations, shapes or element types differ; names both. EnvironmentError if
///           a replica does not respond.
/// Gradient: the replicas' cotangents concatenated; all replicas take part.
/// Cost:     sends and receives (n - 1) / n of the tensor's bytes.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> reduce_scatter(
    const Tensor<Scalar>& x, const ProcessGroup& group,
    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::run_collective(
      group, {.kind = detail::CollectiveKind::ReduceScatter, .operation = "reduce_scatter"},
      x.array(), where));
}

// Primal:  y_s = part s of sum_r x_r
// Adjoint: adj[x_r] += (adj[y_0]; adj[y_1]; ...)
// Saves:   the shape
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(reduce_scatter)
auto reduce_scatter_vjp(const Tensor<Scalar>& x, const ProcessGroup& group,
                        std::source_location where) {
  auto y = reduce_scatter(x, group, where);
  const Shape part = y.shape();
  return vjp(std::move(y), [part, device = x.device(), group](const Tensor<Scalar>& dy) {
    return all_gather(detail::sent_tangent(dy, part, device), group);
  });
}

// Tangent: the sum of the replicas' tangents, divided
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(reduce_scatter)
auto reduce_scatter_jvp(const Tensor<Scalar>& x, const ProcessGroup& group,
                        std::source_location where, const Tensor<Scalar>& dx) {
  auto y = reduce_scatter(x, group, where);
  auto dy = reduce_scatter(detail::sent_tangent(dx, x.shape(), x.device()), group, where);
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{std::move(y), std::move(dy)};
}

}  // namespace ddx::distributed
