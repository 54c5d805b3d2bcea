#include "backend/pjrt/uploads.h"

#include "ddx/backend/buffer.h"
#include "ddx/ir/graph.h"

#include "backend/pjrt/device_buffer.h"

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

std::shared_ptr<const DeviceBuffer> owned(DeviceBuffer buffer) {
  return std::make_shared<const DeviceBuffer>(std::move(buffer));
}

/// The memory of a block, which the loan owns.
Buffer lent(const Buffer& block) {
  auto owner = std::make_unique<Buffer>(block);
  Buffer loan = Buffer::borrowed(block.data(), owner.get(),
                                 [](void* one) noexcept { delete static_cast<Buffer*>(one); });
  (void)owner.release();
  return loan;
}

}  // namespace

std::shared_ptr<const DeviceBuffer> Uploads::of(const Buffer& block, const ir::Type& type) {
  const std::scoped_lock lock(mutex_);
  const auto [begin, end] = entries_.equal_range(block.block());
  const auto known =
      std::find_if(begin, end, [&](const auto& entry) { return entry.second.type == type; });
  if (known != end) {
    return known->second.buffer;
  }
  // Each entry owns the block once, however often the plugin does.
  const bool is_large = bytes_of(type) >= least_shared;
  Buffer owner = is_large ? lent(block) : block;
  auto buffer = is_large ? owned(DeviceBuffer::shared(
                               client_, {block.data(), type.dtype, type.shape}, owner, device_))
                         : copied(block.data(), type);
  entries_.emplace(block.block(), Entry{std::move(owner), type, buffer});
  return buffer;
}

std::shared_ptr<const DeviceBuffer> Uploads::copied(const std::byte* elements,
                                                    const ir::Type& type) const {
  return owned(DeviceBuffer::copied(client_, {elements, type.dtype, type.shape}, device_));
}

std::size_t Uploads::owners_of(const Block& block) const {
  const std::scoped_lock lock(mutex_);
  return entries_.count(&block);
}

void Uploads::drop_unused() {
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
