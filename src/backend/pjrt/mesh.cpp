#include "ddx/backend/mesh.h"

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"
#include "ddx/core/mesh.h"
#include "ddx/core/partition_spec.h"
#include "ddx/core/shape.h"

#include "backend/pjrt/device_buffer.h"
#include "backend/pjrt/mesh_array.h"
#include "backend/pjrt/mesh_executor.h"
#include "backend/pjrt/mesh_parts.h"

#include <cstddef>
#include <vector>

namespace ddx::backend {

Buffer divided(const Buffer& elements, const Shape& shape, DType dtype, const Mesh& mesh,
               const PartitionSpec& spec) {
  return pjrt::mesh_executor_of(mesh).divided(elements, {shape, dtype},
                                              pjrt::sharding_of(spec, shape.rank()));
}

PartitionSpec partition_of(const Buffer& elements, const Shape& shape, const Mesh& mesh) {
  const pjrt::MeshArray* const array = pjrt::mesh_executor_of(mesh).array_of(elements);
  if (array == nullptr) {
    return {};
  }
  return PartitionSpec(pjrt::reshaped(array->elements()->sharding, array->shape(), shape));
}

std::vector<MeshPart> parts_of(const Buffer& elements, const Mesh& mesh) {
  std::vector<MeshPart> parts;
  if (const pjrt::MeshArray* const array = pjrt::mesh_executor_of(mesh).array_of(elements)) {
    for (std::size_t i = 0; i < mesh.size(); ++i) {
      const pjrt::DeviceBuffer& part = array->elements()->parts[i];
      parts.push_back({mesh.devices()[i], part.shape(), part.bytes_on_device()});
    }
  }
  return parts;
}

}  // namespace ddx::backend
