/// \file
/// Concatenates the replicas' tensors.

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
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <numeric>
#include <source_location>
#include <utility>

namespace ddx::distributed {

/// The replicas' tensors concatenated along the first axis, in rank order, on each replica.
///
/// Shapes:   x [a_r, b...], b equal on all replicas -> [sum of a_r, b...]
/// Throws:   UsageError if x has rank 0, or the replicas' operations, element types or extents
///           after the first differ; names both. EnvironmentError if a replica does not respond.
/// Gradient: this replica's rows of the sum of the replicas' cotangents; all replicas take part.
/// Cost:     sends the tensor n - 1 times, receives those of the others.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> all_gather(
    const Tensor<Scalar>& x, const ProcessGroup& group,
    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::run_collective(
      group, {.kind = detail::CollectiveKind::AllGather, .operation = "all_gather"}, x.array(),
      where));
}

namespace detail {

/// Where this replica's rows start among those of all.
inline std::int64_t first_row(std::int64_t rows, const ProcessGroup& group) {
  const Tensor<std::int64_t> own(Shape{1}, {rows});
  const auto all = all_gather(own, group).values();
  return std::accumulate(all.begin(), all.begin() + group.rank(), std::int64_t{0});
}

}  // namespace detail

// Primal:  y_s = (x_0; x_1; ...) on every replica s
// Adjoint: adj[x_r] += rows r of sum_s adj[y_s]
// Saves:   the shape, where the rows begin
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(all_gather)
auto all_gather_vjp(const Tensor<Scalar>& x, const ProcessGroup& group,
                    std::source_location where) {
  auto y = all_gather(x, group, where);
  const Shape whole = y.shape();
  const std::int64_t first = detail::first_row(x.shape()[0], group);
  return vjp(std::move(y), [whole, first, rows = x.shape()[0], device = x.device(),
                            group](const Tensor<Scalar>& dy) {
    return slice(cross_replica_sum(detail::sent_tangent(dy, whole, device), group),
                 {.start = {first}, .stop = {first + rows}});
  });
}

// Tangent: the replicas' tangents concatenated
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(all_gather)
auto all_gather_jvp(const Tensor<Scalar>& x, const ProcessGroup& group, std::source_location where,
                    const Tensor<Scalar>& dx) {
  auto y = all_gather(x, group, where);
  auto dy = all_gather(detail::sent_tangent(dx, x.shape(), x.device()), group, where);
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{std::move(y), std::move(dy)};
}

}  // namespace ddx::distributed
