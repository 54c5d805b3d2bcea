/// \file
/// Promises whose elements lie on a device.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"

#include "backend/pjrt/device_buffer.h"
#include "backend/pjrt/kept_array.h"

namespace ddx::backend::pjrt {

/// The elements of a promise in the memory of a device.
using DeviceArray = ArrayOf<DeviceBuffer>;

/// Who has promised what lies on a device. Where its memory is the process's, the elements stay
/// where they are.
class DeviceKeeper final : public KeeperOf<DeviceBuffer> {
 private:
  [[nodiscard]] Buffer on_host(const KeptArray& array, DType dtype) const override;
};

}  // namespace ddx::backend::pjrt
