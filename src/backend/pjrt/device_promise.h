/// \file
/// Promises whose elements lie on a device.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/core/shape.h"

#include "backend/pjrt/device_buffer.h"
#include "backend/pjrt/started_run.h"
#include "backend/promise.h"

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>

namespace ddx::backend::pjrt {

/// The elements of a promise in the memory of a device.
class DeviceArray final : public DeviceElements {
 public:
  /// `run` is what made them; null where nothing can be wrong with them but what the plugin says.
  DeviceArray(std::shared_ptr<const DeviceBuffer> buffer, const Shape& shape,
              std::shared_ptr<StartedRun> run, std::size_t result)
      : buffer_(std::move(buffer)), shape_(shape), run_(std::move(run)), result_(result) {}

  [[nodiscard]] const std::shared_ptr<const DeviceBuffer>& buffer() const noexcept {
    return buffer_;
  }
  [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
  [[nodiscard]] const std::shared_ptr<StartedRun>& run() const noexcept { return run_; }
  [[nodiscard]] std::size_t result() const noexcept { return result_; }

 private:
  std::shared_ptr<const DeviceBuffer> buffer_;
  Shape shape_;
  std::shared_ptr<StartedRun> run_;
  std::size_t result_;
};

/// Who has promised what lies on a device: brings it to the host when somebody looks. The one place
/// where elements come to the host, and errors of runs come out.
class DeviceKeeper final : public Promiser {
 public:
  /// Where the device's memory is the process's, the elements stay where they are.
  void fulfil(Block& block) noexcept override;

  /// The elements of a block on the device; null where it has none there.
  [[nodiscard]] const DeviceArray* array_of(Block& block) const noexcept;

 private:
  // By the block: who waits for one result is not to wait for others.
  std::array<std::mutex, 64> mutexes_;
};

}  // namespace ddx::backend::pjrt
