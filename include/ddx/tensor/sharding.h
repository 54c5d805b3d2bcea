/// \file
/// Tensors divided among the devices of a mesh.

#pragma once

#include "ddx/ad/attributes.h"
#include "ddx/backend/mesh.h"
#include "ddx/core/dtype.h"
#include "ddx/core/mesh.h"
#include "ddx/core/partition_spec.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/tensor.h"

#include <source_location>
#include <vector>

namespace ddx {

namespace detail {

Array sharded(const Array& array, const Mesh& mesh, const PartitionSpec& spec,
              const std::source_location& where);
PartitionSpec sharding_of(const Array& array, const std::source_location& where);
std::vector<backend::MeshPart> parts_of(const Array& array, const std::source_location& where);

}  // namespace detail

/// The tensor on a mesh, each device having the part that the partition says. What is computed with
/// it is the same as without a mesh: XLA divides the work as its operands are divided, and moves
/// elements between devices where that is needed. `x.to(mesh.device())` gives every device all.
///
/// Shapes:   x [...] -> [...]
/// Throws:   UsageError where the mesh lacks an axis of the partition, it divides twice along one,
///           has more axes than `x`, or an extent of `x` is no multiple of the number of parts;
///           EnvironmentError with the plugin's message.
/// Gradient: the cotangent on the device of `x`.
/// Cost:     a copy through the memory of the host; none where `x` lies so.
/// Example:
///   const auto images = ddx::shard(batch.images, mesh, {"data"});
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> shard(const Tensor<Scalar>& x, const Mesh& mesh,
                                   const PartitionSpec& spec,
                                   std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::sharded(x.array(), mesh, spec, where));
}

// Primal:  y = x on a mesh
// Adjoint: adj[x] += adj[y] on the device of x
// Saves:   nothing
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(shard)
auto shard_vjp(const Tensor<Scalar>& x, const Mesh& mesh, const PartitionSpec& spec,
               std::source_location where) {
  return detail::tensor_vjp(
      shard(x, mesh, spec, where),
      [device = x.device()](const Tensor<Scalar>& dy) { return dy.to(device); });
}

/// How a tensor on a mesh is divided. Runs what is recorded of it.
///
/// Shapes:   x [...]
/// Throws:   UsageError where it is on no mesh.
template <TensorScalar Scalar>
[[nodiscard]] PartitionSpec sharding_of(
    const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) {
  return detail::sharding_of(x.array(), where);
}

/// What each device has of a tensor on a mesh, in the order of Mesh::devices; empty where the
/// devices have nothing of it yet, since its elements were written on the host.
///
/// Shapes:   x [...]
/// Throws:   UsageError where it is on no mesh.
template <TensorScalar Scalar>
[[nodiscard]] std::vector<backend::MeshPart> parts_of(
    const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) {
  return detail::parts_of(x.array(), where);
}

}  // namespace ddx
