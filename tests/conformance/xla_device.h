/// \file
/// XLA's compiler as a device.

#pragma once

#include "ddx/backend/pjrt.h"
#include "ddx/core/device.h"

#include <cstdlib>
#include <string>

namespace ddx::testing {

/// The first device of the plugin that DDX_TEST_PLATFORM names, else of XLA's for CPUs, which
/// ./test installs where programs look for it. Each test is a process: the trial in a child is left
/// out.
[[nodiscard]] inline Device xla_device() {
  static const Device device = [] {
    const char* const named = std::getenv("DDX_TEST_PLATFORM");
    const std::string platform = named == nullptr ? "cpu" : named;
    backend::PjrtOptions options;
    options.try_in_child_first = false;
    if (platform == "cpu") {
      options.cpu_device_count = 1;
    }
    backend::set_pjrt_options(platform, options);
    return Device::pjrt(platform);
  }();
  return device;
}

}  // namespace ddx::testing
