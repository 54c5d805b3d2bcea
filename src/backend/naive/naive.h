/// \file
/// The naive back end: single-threaded, without dependencies, the judge of the others.

#pragma once

#include "ddx/backend/backend.h"

namespace ddx::backend {

/// The back end of Device::naive(): every cell holds the reference kernel.
[[nodiscard]] const Backend& naive_backend();

}  // namespace ddx::backend
