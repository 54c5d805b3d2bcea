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
#include <atomic>
#include <cstddef>
#include <iterator>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace ddx::backend::pjrt {
namespace {

/// The memory of a block, which the loan owns.
Buffer lent(const Buffer& block) {
  auto owner = std::make_unique<Buffer>(block);
  Buffer loan = Buffer::borrowed(block.data(), owner.get(),
                                 [](void* one) noexcept { delete static_cast<Buffer*>(one); });
  (void)owner.release();
  return loan;
}

}  // namespace

std::shared_ptr<const MeshBuffers> MeshUploads::of(const Buffer& block, const ir::Type& type) {
  const std::scoped_lock lock(mutex_);
  const auto [begin, end] = entries_.equal_range(block.block());
  const auto known =
      std::find_if(begin, end, [&](const auto& entry) { return entry.second.type == type; });
  if (known != end) {
    return known->second.buffers;
  }
  std::shared_ptr<const MeshBuffers> buffers;
  Buffer owner = block;
  if (ir::bytes_of(type) >= least_shared) {
    owner = lent(block);  // Each entry owns the block once, however often the plugin does.
    MeshBuffers shared;
    for (const DeviceInfo* device : devices_) {
      shared.parts.push_back(
          DeviceBuffer::shared(client_, {block.data(), type.dtype, type.shape}, owner, *device));
    }
    shared.sharding.resize(type.shape.rank());
    buffers = std::make_shared<const MeshBuffers>(std::move(shared));
  } else {
    buffers = copied(block.data(), type);
  }
  entries_.emplace(block.block(), Entry{std::move(owner), type, buffers});
  return buffers;
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

void MeshUploads::drop_unused() {
  std::vector<Entry> left;  // Destroyed without the lock: a plugin may call back.
  const std::scoped_lock lock(mutex_);
  for (auto first = entries_.begin(); first != entries_.end();) {
    const auto end = entries_.equal_range(first->first).second;
    const auto count = static_cast<std::size_t>(std::distance(first, end));
    if (first->first->owners.load(std::memory_order_acquire) > count) {
      first = end;
      continue;
    }
    for (auto entry = first; entry != end; ++entry) {
      left.push_back(std::move(entry->second));
    }
    first = entries_.erase(first, end);
  }
}

}  // namespace ddx::backend::pjrt
