/// \file
/// Arrays in the memory of all devices of a mesh.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/stablehlo/module.h"

#include "backend/pjrt/device_buffer.h"
#include "backend/pjrt/started_run.h"
#include "backend/promise.h"

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace ddx::backend::pjrt {

/// What each device has of an array, in the order of the devices of the mesh.
struct MeshBuffers {
  std::vector<DeviceBuffer> parts;
  stablehlo::Sharding sharding;
};

/// The elements of a promise on the devices of a mesh.
class MeshArray final : public DeviceElements {
 public:
  /// `run` is what made them; null where nothing can be wrong with them but what the plugin says.
  MeshArray(std::shared_ptr<const MeshBuffers> buffers, const Shape& shape,
            std::shared_ptr<StartedRun> run, std::size_t result)
      : buffers_(std::move(buffers)), shape_(shape), run_(std::move(run)), result_(result) {}

  [[nodiscard]] const std::shared_ptr<const MeshBuffers>& buffers() const noexcept {
    return buffers_;
  }
  [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
  [[nodiscard]] const std::shared_ptr<StartedRun>& run() const noexcept { return run_; }
  [[nodiscard]] std::size_t result() const noexcept { return result_; }

 private:
  std::shared_ptr<const MeshBuffers> buffers_;
  Shape shape_;
  std::shared_ptr<StartedRun> run_;
  std::size_t result_;
};

/// Who has promised what lies on a mesh: puts it together on the host when somebody looks.
class MeshKeeper final : public Promiser {
 public:
  explicit MeshKeeper(stablehlo::Mesh mesh) : mesh_(std::move(mesh)) {}

  void fulfil(Block& block) noexcept override;

  /// The elements of a block on the mesh; null where it has none there.
  [[nodiscard]] const MeshArray* array_of(Block& block) const noexcept;

 private:
  [[nodiscard]] Buffer on_host(const MeshArray& array, DType dtype) const;

  stablehlo::Mesh mesh_;
  // By the block: who waits for one result is not to wait for others.
  std::array<std::mutex, 64> mutexes_;
};

}  // namespace ddx::backend::pjrt
