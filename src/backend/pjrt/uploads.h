/// \file
/// Arrays of the host on a device.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/ir/graph.h"

#include "backend/pjrt/client.h"
#include "backend/pjrt/device_buffer.h"
#include "backend/pjrt/upload_table.h"

#include <cstddef>
#include <memory>
#include <utility>

namespace ddx::backend::pjrt {

/// Sends arrays of the host to a device, and keeps what is still in use. May be used from any
/// thread.
class Uploads {
 public:
  Uploads(std::shared_ptr<const Client> client, const DeviceInfo& device) noexcept
      : client_(std::move(client)), device_(device) {}

  /// The elements of a block, which are there, on the device.
  ///
  /// Throws:  EnvironmentError with the plugin's message.
  /// Cost:    of 4 KiB or more that the device can read where they lie, no copy.
  [[nodiscard]] std::shared_ptr<const DeviceBuffer> of(const Buffer& block, const ir::Type& type);

  /// A copy of the elements, which has no other owner: a program may write over it.
  [[nodiscard]] std::shared_ptr<const DeviceBuffer> copied(const std::byte* elements,
                                                           const ir::Type& type) const;

  /// How often it owns a block.
  [[nodiscard]] std::size_t owners_of(const Block& block) const { return sent_.owners_of(block); }

  /// Forgets what has no owner any more.
  void drop_unused() { sent_.drop_unused(); }

 private:
  std::shared_ptr<const Client> client_;
  const DeviceInfo& device_;
  UploadTable<DeviceBuffer> sent_;
};

}  // namespace ddx::backend::pjrt
