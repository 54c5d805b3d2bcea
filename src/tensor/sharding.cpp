#include "ddx/tensor/sharding.h"

#include "ddx/backend/buffer.h"
#include "ddx/backend/mesh.h"
#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/mesh.h"
#include "ddx/core/partition_spec.h"
#include "ddx/tensor/detail/array.h"

#include <new>
#include <source_location>
#include <utility>
#include <vector>

namespace ddx::detail {
namespace {

/// The block that the elements lie in.
backend::Buffer block_of(const Array& array) {
  backend::Block* const block = backend::block_of(array.view());
  return block == nullptr ? backend::Buffer() : backend::Buffer(*block);
}

/// The mesh that an array is on.
Mesh mesh_of(const Array& array, const char* operation, const std::source_location& where) {
  if (array.device().kind() != Device::Kind::Mesh) {
    throw UsageError(operation,
                     "the tensor is on device " + to_string(array.device()) + ", which is no mesh",
                     where);
  }
  return Mesh::of(array.device());
}

}  // namespace

Array sharded(const Array& array, const Mesh& mesh, const PartitionSpec& spec,
              const std::source_location& where) try {
  check_partition("shard", spec, array.shape(), mesh, where);
  Array on_mesh = array;
  if (!array.is_symbolic_zero()) {
    if (array.device() != mesh.device()) {
      (void)array.data();  // What was recorded elsewhere is run there.
    }
    on_mesh = Array(backend::divided(block_of(array), array.shape(), array.dtype(), mesh, spec),
                    array.shape(), array.dtype(), mesh.device());
  }
  on_mesh.set_device(mesh.device());
  return on_mesh;
} catch (const std::bad_alloc&) {
  throw_out_of_memory("sharded");
}

PartitionSpec sharding_of(const Array& array, const std::source_location& where) try {
  const Mesh mesh = mesh_of(array, "sharding_of", where);
  return array.is_symbolic_zero() ? PartitionSpec()
                                  : backend::partition_of(block_of(array), array.shape(), mesh);
} catch (const std::bad_alloc&) {
  throw_out_of_memory("sharding_of");
}

std::vector<backend::MeshPart> parts_of(const Array& array, const std::source_location& where) {
  const Mesh mesh = mesh_of(array, "parts_of", where);
  return array.is_symbolic_zero() ? std::vector<backend::MeshPart>()
                                  : backend::parts_of(block_of(array), mesh);
}

}  // namespace ddx::detail
