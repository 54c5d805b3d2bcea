/// \file
/// The cpu back end: eager, vectorised, on all processors that the process may use.

#pragma once

#include "ddx/backend/backend.h"

namespace ddx::backend {

/// The back end of Device::cpu().
[[nodiscard]] const Backend& cpu_backend();

}  // namespace ddx::backend
