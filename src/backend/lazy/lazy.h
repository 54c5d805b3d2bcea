/// \file
/// The lazy back end: operations are recorded, and run by the kernels of the cpu back end.

#pragma once

#include "ddx/backend/backend.h"

namespace ddx::backend {

/// The back end of Device::lazy(): the operations that can be recorded.
[[nodiscard]] const Backend& lazy_backend();

}  // namespace ddx::backend
