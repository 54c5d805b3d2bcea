/// \file
/// Exchanges parts of tensors between all replicas.

#pragma once

#include "ddx/ad/attributes.h"
#include "ddx/ad/results.h"
#include "ddx/ad/vjp.h"
#include "ddx/core/dtype.h"
#include "ddx/distributed/detail/collective.h"
#include "ddx/distributed/detail/run_collective.h"
#include "ddx/distributed/detail/tangents.h"
#include "ddx/distributed/process_group.h"
#include "ddx/tensor/tensor.h"

#include <source_location>
#include <utility>

namespace ddx::distributed {

/// Scatters the tensor along the first axis: replica s gets the s-th of n equal parts of each
/// replica's tensor, in rank order. Applied twice it is the identity.
///
/// Shapes:   x [n a, b...], equal on all replicas -> [n a, b...]
/// Throws:   UsageError if the first axis is not a multiple of the number of replicas, or the
///           replicas' operations, shapes or element types differ; names both. EnvironmentError if
///           a replica does not respond.
/// Gradient: the cotangents sent back; all replicas take part.
/// Cost:     sends and receives (n - 1) / n of the tensor's bytes.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> all_to_all(
    const Tensor<Scalar>& x, const ProcessGroup& group,
    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::run_collective(
      group, {.kind = detail::CollectiveKind::AllToAll, .operation = "all_to_all"}, x.array(),
      where));
}

// Primal:  part r of y_s = part s of x_r
// Adjoint: part s of adj[x_r] += part r of adj[y_s]
// Saves:   the shape
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(all_to_all)
auto all_to_all_vjp(const Tensor<Scalar>& x, const ProcessGroup& group,
                    std::source_location where) {
  return vjp(all_to_all(x, group, where),
             [shape = x.shape(), device = x.device(), group](const Tensor<Scalar>& dy) {
               return all_to_all(detail::sent_tangent(dy, shape, device), group);
             });
}

// Tangent: the tangents exchanged in the same way
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(all_to_all)
auto all_to_all_jvp(const Tensor<Scalar>& x, const ProcessGroup& group, std::source_location where,
                    const Tensor<Scalar>& dx) {
  auto y = all_to_all(x, group, where);
  auto dy = all_to_all(detail::sent_tangent(dx, x.shape(), x.device()), group, where);
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{std::move(y), std::move(dy)};
}

}  // namespace ddx::distributed
