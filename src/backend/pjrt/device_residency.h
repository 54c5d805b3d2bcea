/// \file
/// Lazy values whose elements lie on a device.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"

#include "backend/pjrt/device_buffer.h"
#include "backend/pjrt/kept_array.h"

namespace ddx::backend::pjrt {

/// The elements of a lazy value in the memory of a device.
using DeviceArray = ArrayOf<DeviceBuffer>;

/// The producer of what lies on a device. Where its memory is the process's, the elements stay
/// where they are.
class DeviceResidency final : public ResidencyOf<DeviceBuffer> {
 private:
  [[nodiscard]] Buffer on_host(const KeptArray& array, DType dtype) const override;
};

}  // namespace ddx::backend::pjrt
