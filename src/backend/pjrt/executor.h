/// \file
/// Recorded graphs run by a plugin.

#pragma once

#include "ddx/core/device.h"

#include "backend/lazy/executor.h"

namespace ddx::backend::pjrt {

/// The executor of a device of PJRT. It is made, and its plugin opened, by the first call.
///
/// Throws:  EnvironmentError as Platform::of; UsageError where there is no such device.
[[nodiscard]] const lazy::Executor& executor_of(Device device);

}  // namespace ddx::backend::pjrt
