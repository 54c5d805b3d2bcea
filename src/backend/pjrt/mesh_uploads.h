/// \file
/// Arrays of the host on the devices of a mesh.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/ir/graph.h"
#include "ddx/stablehlo/module.h"

#include "backend/pjrt/client.h"
#include "backend/pjrt/mesh_array.h"
#include "backend/pjrt/upload_table.h"

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace ddx::backend::pjrt {

/// What has been sent to all devices of a mesh and is still in use, as Uploads has it of one
/// device. May be used from any thread.
class MeshUploads {
 public:
  MeshUploads(std::shared_ptr<const Client> client, std::vector<const DeviceInfo*> devices) noexcept
      : client_(std::move(client)), devices_(std::move(devices)) {}

  /// The elements of a block, which are there, on every device.
  ///
  /// Throws:  EnvironmentError with the plugin's message.
  /// Cost:    of 4 KiB or more that devices can read where they lie, no copy.
  [[nodiscard]] std::shared_ptr<const MeshBuffers> of(const Buffer& block, const ir::Type& type);

  /// A copy of the elements on every device, which has no other owner.
  [[nodiscard]] std::shared_ptr<const MeshBuffers> copied(const std::byte* elements,
                                                          const ir::Type& type) const;

  /// To each device its part of the elements.
  [[nodiscard]] std::shared_ptr<const MeshBuffers> divided(
      const std::byte* elements, const ir::Type& type, const stablehlo::Mesh& mesh,
      const stablehlo::Sharding& sharding) const;

  /// Forgets what has no owner any more.
  void drop_unused() { sent_.drop_unused(); }

 private:
  std::shared_ptr<const Client> client_;
  std::vector<const DeviceInfo*> devices_;
  UploadTable<MeshBuffers> sent_;
};

}  // namespace ddx::backend::pjrt
