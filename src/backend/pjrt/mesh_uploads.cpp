#include "backend/pjrt/mesh_uploads.h"

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"
#include "ddx/ir/graph.h"
#include "ddx/stablehlo/module.h"

#include "backend/pjrt/client.h"
#include "backend/pjrt/device_buffer.h"
#include "backend/pjrt/mesh_array.h"
#include "backend/pjrt/mesh_parts.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace ddx::backend::pjrt {

std::shared_ptr<const MeshBuffers> MeshUploads::of(const Buffer& block, const ir::Type& type) {
  const auto share = [&](const Buffer& owner) {
    MeshBuffers shared;
    for (const DeviceInfo* device : devices_) {
      shared.parts.push_back(
          DeviceBuffer::shared(client_, {block.data(), type.dtype, type.shape}, owner, *device));
    }
    shared.sharding.resize(type.shape.rank());
    return std::make_shared<const MeshBuffers>(std::move(shared));
  };
  return sent_.of(block, type, share, [&] { return copied(block.data(), type); });
}

std::shared_ptr<const MeshBuffers> MeshUploads::copied(const std::byte* elements,
                                                       const ir::Type& type) const {
  MeshBuffers buffers;
  for (const DeviceInfo* device : devices_) {
    buffers.parts.push_back(
        DeviceBuffer::copied(client_, {elements, type.dtype, type.shape}, *device));
  }
  buffers.sharding.resize(type.shape.rank());
  return std::make_shared<const MeshBuffers>(std::move(buffers));
}

std::shared_ptr<const MeshBuffers> MeshUploads::divided(const std::byte* elements,
                                                        const ir::Type& type,
                                                        const stablehlo::Mesh& mesh,
                                                        const stablehlo::Sharding& sharding) const {
  MeshBuffers buffers{.parts = {}, .sharding = sharding};
  const std::size_t element_bytes = info(type.dtype).bytes;
  std::vector<std::byte> own;
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    const Part part = part_of(type.shape, sharding, mesh, i);
    own.resize(
        std::max<std::size_t>(static_cast<std::size_t>(part.shape.count()) * element_bytes, 1));
    copy_out(elements, type.shape, part, element_bytes, own.data());
    buffers.parts.push_back(
        DeviceBuffer::copied(client_, {own.data(), type.dtype, part.shape}, *devices_[i]));
  }
  return std::make_shared<const MeshBuffers>(std::move(buffers));
}

}  // namespace ddx::backend::pjrt
