/// \file
/// The back end of PJRT's devices: operations are recorded, and run by XLA.

#pragma once

#include "ddx/backend/backend.h"

namespace ddx::backend {

/// The back end of Device::pjrt(...): the operations that can be recorded. Its kernels are those of
/// the cpu device, which compute what XLA's compiler refuses.
[[nodiscard]] const Backend& pjrt_backend();

}  // namespace ddx::backend
