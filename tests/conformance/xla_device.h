/// \file
/// XLA's compiler as a device.

#pragma once

#include "ddx/backend/pjrt.h"
#include "ddx/core/device.h"

#include <chrono>
#include <cstdlib>
#include <string>

namespace ddx::testing {

/// The plugin that DDX_TEST_PLATFORM names, else XLA's for CPUs.
[[nodiscard]] inline std::string xla_platform() {
  const char* const named = std::getenv("DDX_TEST_PLATFORM");
  return named == nullptr ? "cpu" : named;
}

/// The first device of that plugin, which for CPUs ./test installs where programs look for it. Each
/// test is a process: the trial in a child is left out.
[[nodiscard]] inline Device xla_device() {
  static const Device device = [] {
    const std::string platform = xla_platform();
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

/// What this process has compiled so far, for reports.
[[nodiscard]] inline std::string xla_programs() {
  const auto statistics = backend::pjrt_statistics(xla_platform());
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(statistics.compile_time);
  return std::to_string(statistics.compiled) + " programs compiled so far, in " +
         std::to_string(seconds.count()) + " s of all threads";
}

}  // namespace ddx::testing
