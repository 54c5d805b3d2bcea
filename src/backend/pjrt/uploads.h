/// \file
/// Arrays of the host on a device.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"

#include "backend/pjrt/client.h"
#include "backend/pjrt/device_buffer.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace ddx::backend::pjrt {

/// What has been sent to a device and is still in use: weights that were read from a file go there
/// once. It owns the blocks, so whoever wants to write to one writes to a copy. May be used from
/// any thread.
class Uploads {
 public:
  Uploads(std::shared_ptr<const Client> client, const DeviceInfo& device) noexcept
      : client_(std::move(client)), device_(device) {}

  /// The elements of a block, which are there, on the device.
  ///
  /// Throws:  EnvironmentError with the plugin's message.
  /// Cost:    of 4 KiB or more that the device can read where they lie, no copy.
  [[nodiscard]] std::shared_ptr<const DeviceBuffer> of(const Buffer& block, const ir::Type& type);

  /// A copy of the elements, which nobody else has: a program may write over it.
  [[nodiscard]] std::shared_ptr<const DeviceBuffer> copied(const std::byte* elements,
                                                           const ir::Type& type) const;

  /// How often it owns a block.
  [[nodiscard]] std::size_t owners_of(const Block& block) const;

  /// Forgets what is nobody's any more.
  void drop_unused();

 private:
  static constexpr std::size_t least_shared = 4096;

  struct Entry {
    Buffer owner;
    ir::Type type;
    std::shared_ptr<const DeviceBuffer> buffer;
  };

  std::shared_ptr<const Client> client_;
  const DeviceInfo& device_;
  mutable std::mutex mutex_;
  std::unordered_multimap<const Block*, Entry> entries_;
};

}  // namespace ddx::backend::pjrt
