#include "backend/pjrt/uploads.h"

#include "ddx/backend/buffer.h"
#include "ddx/ir/graph.h"

#include "backend/pjrt/device_buffer.h"

#include <cstddef>
#include <memory>

namespace ddx::backend::pjrt {

std::shared_ptr<const DeviceBuffer> Uploads::of(const Buffer& block, const ir::Type& type) {
  const auto share = [&](const Buffer& owner) {
    return std::make_shared<const DeviceBuffer>(
        DeviceBuffer::shared(client_, {block.data(), type.dtype, type.shape}, owner, device_));
  };
  return sent_.of(block, type, share, [&] { return copied(block.data(), type); });
}

std::shared_ptr<const DeviceBuffer> Uploads::copied(const std::byte* elements,
                                                    const ir::Type& type) const {
  return std::make_shared<const DeviceBuffer>(
      DeviceBuffer::copied(client_, {elements, type.dtype, type.shape}, device_));
}

}  // namespace ddx::backend::pjrt
