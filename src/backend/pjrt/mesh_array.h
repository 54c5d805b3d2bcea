/// \file
/// Arrays in the memory of all devices of a mesh.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"
#include "ddx/stablehlo/module.h"

#include "backend/pjrt/device_buffer.h"
#include "backend/pjrt/kept_array.h"

#include <utility>
#include <vector>

namespace ddx::backend::pjrt {

/// What each device has of an array, in the order of the devices of the mesh.
struct MeshBuffers {
  std::vector<DeviceBuffer> parts;
  stablehlo::Sharding sharding;
};

/// The elements of a lazy value on the devices of a mesh.
using MeshArray = ArrayOf<MeshBuffers>;

/// The producer of what lies on a mesh: assembles it on the host when it is observed.
class MeshResidency final : public ResidencyOf<MeshBuffers> {
 public:
  explicit MeshResidency(stablehlo::Mesh mesh) : mesh_(std::move(mesh)) {}

 private:
  [[nodiscard]] Buffer on_host(const KeptArray& array, DType dtype) const override;

  stablehlo::Mesh mesh_;
};

}  // namespace ddx::backend::pjrt
