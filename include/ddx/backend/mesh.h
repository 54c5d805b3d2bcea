/// \file
/// Arrays on the devices of a mesh.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/mesh.h"
#include "ddx/core/partition_spec.h"
#include "ddx/core/shape.h"

#include <cstddef>
#include <vector>

namespace ddx::backend {

/// What one device of a mesh has of an array.
struct MeshPart {
  Device device;
  Shape shape;            ///< As the plugin reports.
  std::size_t bytes = 0;  ///< In the device's memory.
};

/// A block whose elements lie on a mesh, divided so. Of one whose elements lie there in this way, a
/// view of it. Requires that `check_partition` passes.
///
/// Throws:  EnvironmentError with the plugin's message; what the elements have failed with.
/// Cost:    a copy of the elements, through the memory of the host.
[[nodiscard]] Buffer divided(const Buffer& elements, const Shape& shape, DType dtype,
                             const Mesh& mesh, const PartitionSpec& spec);

/// How the elements of a block are divided among the devices of a mesh, seen as an array of this
/// shape. Runs what is recorded of them. What lies on the host is not divided.
///
/// Throws:  what the elements have failed with.
[[nodiscard]] PartitionSpec partition_of(const Buffer& elements, const Shape& shape,
                                         const Mesh& mesh);

/// What the devices of a mesh have of a block, in their order; empty where its elements lie on the
/// host. Runs what is recorded of them.
///
/// Throws:  what the elements have failed with; EnvironmentError with the plugin's message.
[[nodiscard]] std::vector<MeshPart> parts_of(const Buffer& elements, const Mesh& mesh);

}  // namespace ddx::backend
