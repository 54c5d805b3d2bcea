/// \file
/// Sums, means, products and extremes over the replicas of a group.

#pragma once

#include "ddx/ad/attributes.h"
#include "ddx/ad/results.h"
#include "ddx/ad/vjp.h"
#include "ddx/core/dtype.h"
#include "ddx/distributed/detail/collective.h"
#include "ddx/distributed/detail/run_collective.h"
#include "ddx/distributed/detail/tangents.h"
#include "ddx/distributed/process_group.h"
#include "ddx/distributed/reduction.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/stacking.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <utility>

namespace ddx::distributed {

namespace detail {

template <TensorScalar Scalar>
Tensor<Scalar> reduced(const char* operation, Reduction reduction, const Tensor<Scalar>& x,
                       const ProcessGroup& group, const std::source_location& where) {
  return Tensor<Scalar>(run_collective(
      group, {.kind = CollectiveKind::AllReduce, .operation = operation, .reduction = reduction},
      x.array(), where));
}

/// An element type with sums and products.
template <class T>
concept Summable = TensorScalar<T> && info(dtype_of<T>).kind != DTypeKind::Boolean;

/// An element type with an order.
template <class T>
concept Ordered = TensorScalar<T> && !ComplexScalar<T>;

}  // namespace detail

/// The sum of the replicas' tensors, on each replica the same bits.
///
/// The differentiated function is the sum of its values on all replicas: every replica's result
/// depends on every replica's tensor. All replicas must take the derivative, also one without a
/// cotangent.
///
/// Shapes:   x [...], equal on all replicas -> [...]
/// DTypes:   floating numbers of 16 and 32 bits are summed in f64, in rank order, and rounded once;
///           integers wrap around.
/// Throws:   UsageError if the replicas' operations, shapes or element types differ; names both.
///           EnvironmentError if a replica does not respond; names it.
/// Gradient: the sum of the replicas' cotangents.
/// Cost:     sends and receives 2 (n - 1) / n of the tensor's bytes, up to 8 KiB (n - 1) of them.
template <detail::Summable Scalar>
[[nodiscard]] Tensor<Scalar> cross_replica_sum(
    const Tensor<Scalar>& x, const ProcessGroup& group,
    std::source_location where = std::source_location::current()) {
  return detail::reduced("cross_replica_sum", Reduction::Sum, x, group, where);
}

// Primal:  y_s = sum_r x_r on every replica s
// Adjoint: adj[x_r] += sum_s adj[y_s]
// Saves:   the shape
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(cross_replica_sum)
auto cross_replica_sum_vjp(const Tensor<Scalar>& x, const ProcessGroup& group,
                           std::source_location where) {
  return vjp(cross_replica_sum(x, group, where),
             [shape = x.shape(), device = x.device(), group](const Tensor<Scalar>& dy) {
               return cross_replica_sum(detail::sent_tangent(dy, shape, device), group);
             });
}

// Tangent: the sum of the replicas' tangents
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(cross_replica_sum)
auto cross_replica_sum_jvp(const Tensor<Scalar>& x, const ProcessGroup& group,
                           std::source_location where, const Tensor<Scalar>& dx) {
  auto y = cross_replica_sum(x, group, where);
  auto dy = cross_replica_sum(detail::sent_tangent(dx, x.shape(), x.device()), group, where);
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{std::move(y), std::move(dy)};
}

/// The mean of the replicas' tensors, on each replica the same bits.
///
/// Shapes:   x [...], equal on all replicas -> [...]
/// DTypes:   as cross_replica_sum; rounded once.
/// Throws:   as cross_replica_sum.
/// Gradient: the mean of the replicas' cotangents; as cross_replica_sum says.
/// Cost:     as cross_replica_sum.
template <DifferentiableScalar Scalar>
[[nodiscard]] Tensor<Scalar> cross_replica_mean(
    const Tensor<Scalar>& x, const ProcessGroup& group,
    std::source_location where = std::source_location::current()) {
  return detail::reduced("cross_replica_mean", Reduction::Mean, x, group, where);
}

// Primal:  y_s = (sum_r x_r) / n on every replica s
// Adjoint: adj[x_r] += (sum_s adj[y_s]) / n
// Saves:   the shape
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(cross_replica_mean)
auto cross_replica_mean_vjp(const Tensor<Scalar>& x, const ProcessGroup& group,
                            std::source_location where) {
  return vjp(cross_replica_mean(x, group, where),
             [shape = x.shape(), device = x.device(), group](const Tensor<Scalar>& dy) {
               return cross_replica_mean(detail::sent_tangent(dy, shape, device), group);
             });
}

// Tangent: the mean of the replicas' tangents
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(cross_replica_mean)
auto cross_replica_mean_jvp(const Tensor<Scalar>& x, const ProcessGroup& group,
                            std::source_location where, const Tensor<Scalar>& dx) {
  auto y = cross_replica_mean(x, group, where);
  auto dy = cross_replica_mean(detail::sent_tangent(dx, x.shape(), x.device()), group, where);
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{std::move(y), std::move(dy)};
}

namespace detail {

/// 1 over the number of replicas that have the chosen element if this replica has it, otherwise 0.
template <FloatingScalar Scalar>
Tensor<Scalar> share_of(const Tensor<Scalar>& x, const Tensor<Scalar>& chosen,
                        const ProcessGroup& group) {
  const auto is_chosen = cast<Scalar>(equal(x, chosen));
  return is_chosen / cross_replica_sum(is_chosen, group);
}

/// The chosen elements y of the replicas' x, and their pullback.
template <FloatingScalar Scalar>
auto chosen_vjp(Tensor<Scalar> y, const Tensor<Scalar>& x, const ProcessGroup& group) {
  const auto share = share_of(x, y, group);
  return vjp(std::move(y), [share, group](const Tensor<Scalar>& dy) {
    return share * cross_replica_sum(sent_tangent(dy, share.shape(), share.device()), group);
  });
}

/// The same with their tangents.
template <FloatingScalar Scalar>
auto chosen_jvp(Tensor<Scalar> y, const Tensor<Scalar>& x, const ProcessGroup& group,
                std::source_location where, const Tensor<Scalar>& dx) {
  const auto share = share_of(x, y, group);
  auto dy = cross_replica_sum(share * sent_tangent(dx, x.shape(), x.device()), group, where);
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{std::move(y), std::move(dy)};
}

}  // namespace detail

/// The largest of the replicas' elements at each position. A NaN wins.
///
/// Shapes:   x [...], equal on all replicas -> [...]
/// DTypes:   all but complex ones; of bool, whether any is true.
/// Throws:   as cross_replica_sum.
/// Gradient: the sum of the replicas' cotangents to the largest element, in equal parts if several
///           replicas have it; as cross_replica_sum.
/// Cost:     as cross_replica_sum.
template <detail::Ordered Scalar>
[[nodiscard]] Tensor<Scalar> cross_replica_max(
    const Tensor<Scalar>& x, const ProcessGroup& group,
    std::source_location where = std::source_location::current()) {
  return detail::reduced("cross_replica_max", Reduction::Max, x, group, where);
}

// Primal:  y_s = max_r x_r on every replica s
// Adjoint: adj[x_r] += (sum_s adj[y_s]) / k where x_r = y, k such replicas
// Saves:   the replicas' shares in y
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(cross_replica_max)
auto cross_replica_max_vjp(const Tensor<Scalar>& x, const ProcessGroup& group,
                           std::source_location where) {
  return detail::chosen_vjp(cross_replica_max(x, group, where), x, group);
}

// Tangent: the sum of the replicas' tangents times their shares
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(cross_replica_max)
auto cross_replica_max_jvp(const Tensor<Scalar>& x, const ProcessGroup& group,
                           std::source_location where, const Tensor<Scalar>& dx) {
  return detail::chosen_jvp(cross_replica_max(x, group, where), x, group, where, dx);
}

/// The smallest of the replicas' elements at each position. A NaN wins.
///
/// Shapes:   x [...], equal on all replicas -> [...]
/// DTypes:   all but complex ones; of bool, whether all is true.
/// Throws:   as cross_replica_sum.
/// Gradient: the sum of the replicas' cotangents to the smallest element, in equal parts if several
///           replicas have it; as cross_replica_sum.
/// Cost:     as cross_replica_sum.
template <detail::Ordered Scalar>
[[nodiscard]] Tensor<Scalar> cross_replica_min(
    const Tensor<Scalar>& x, const ProcessGroup& group,
    std::source_location where = std::source_location::current()) {
  return detail::reduced("cross_replica_min", Reduction::Min, x, group, where);
}

// Primal:  y_s = min_r x_r on every replica s
// Adjoint: adj[x_r] += (sum_s adj[y_s]) / k where x_r = y, k such replicas
// Saves:   the replicas' shares in y
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(cross_replica_min)
auto cross_replica_min_vjp(const Tensor<Scalar>& x, const ProcessGroup& group,
                           std::source_location where) {
  return detail::chosen_vjp(cross_replica_min(x, group, where), x, group);
}

// Tangent: the sum of the replicas' tangents times their shares
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(cross_replica_min)
auto cross_replica_min_jvp(const Tensor<Scalar>& x, const ProcessGroup& group,
                           std::source_location where, const Tensor<Scalar>& dx) {
  return detail::chosen_jvp(cross_replica_min(x, group, where), x, group, where, dx);
}

/// The product of the replicas' tensors, on each replica the same bits.
///
/// Shapes:   x [...], equal on all replicas -> [...]
/// DTypes:   as cross_replica_sum.
/// Throws:   as cross_replica_sum.
/// Gradient: the sum of the replicas' cotangents times the product of the other replicas' elements;
///           right for elements that are 0; as cross_replica_sum.
/// Cost:     as cross_replica_sum; the derivative gathers all replicas' tensors.
template <detail::Summable Scalar>
[[nodiscard]] Tensor<Scalar> cross_replica_product(
    const Tensor<Scalar>& x, const ProcessGroup& group,
    std::source_location where = std::source_location::current()) {
  return detail::reduced("cross_replica_product", Reduction::Product, x, group, where);
}

namespace detail {

/// The product of the other replicas' tensors, without a division, so elements may be 0.
template <FloatingScalar Scalar>
Tensor<Scalar> product_of_others(const Tensor<Scalar>& x, const ProcessGroup& group) {
  const Tensor<Scalar> all(run_collective(
      group, {.kind = CollectiveKind::AllGather, .operation = "cross_replica_product"},
      stack<Scalar>({x}).array(), std::source_location::current()));
  auto result = ones<Scalar>(x.shape(), x.device());
  const auto of_replicas = unstack(all);
  for (std::size_t rank = 0; rank < of_replicas.size(); ++rank) {
    if (static_cast<std::int64_t>(rank) != group.rank()) {
      result = result * of_replicas[rank];
    }
  }
  return result;
}

}  // namespace detail

// Primal:  y_s = prod_r x_r on every replica s
// Adjoint: adj[x_r] += prod_(q!=r) x_q sum_s adj[y_s]
// Saves:   the product of the others
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(cross_replica_product)
auto cross_replica_product_vjp(const Tensor<Scalar>& x, const ProcessGroup& group,
                               std::source_location where) {
  auto y = cross_replica_product(x, group, where);
  const auto others = detail::product_of_others(x, group);
  return vjp(std::move(y), [others, group](const Tensor<Scalar>& dy) {
    return others *
           cross_replica_sum(detail::sent_tangent(dy, others.shape(), others.device()), group);
  });
}

// Tangent: the sum of the replicas' tangents times the products of the others
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(cross_replica_product)
auto cross_replica_product_jvp(const Tensor<Scalar>& x, const ProcessGroup& group,
                               std::source_location where, const Tensor<Scalar>& dx) {
  auto y = cross_replica_product(x, group, where);
  const auto others = detail::product_of_others(x, group);
  auto dy =
      cross_replica_sum(others * detail::sent_tangent(dx, x.shape(), x.device()), group, where);
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{std::move(y), std::move(dy)};
}

}  // namespace ddx::distributed
