/// \file
/// The devices on which models are compared with recordings.

#pragma once

#include "ddx/backend/pjrt.h"
#include "ddx/core/device.h"

#include <filesystem>
#include <system_error>
#include <vector>

namespace ddx::testing {

/// Whether XLA's plugin for CPUs is in DDX_PJRT_FOLDER, where tools/install_pjrt_plugin puts it.
inline bool has_xla() {
  std::error_code fault;
  const bool is_empty = std::filesystem::is_empty(DDX_PJRT_FOLDER, fault);
  return !fault && !is_empty;
}

/// XLA for CPUs.
inline Device xla_device() {
  static const Device device = [] {
    backend::add_pjrt_folder(DDX_PJRT_FOLDER);
    backend::set_pjrt_options("cpu", {.try_in_child_first = false});
    return Device::pjrt("cpu");
  }();
  return device;
}

/// naive, cpu, lazy and, where its plugin is there, XLA.
inline std::vector<Device> model_devices() {
  std::vector<Device> devices{Device::naive(), Device::cpu(), Device::lazy()};
  if (has_xla()) {
    devices.push_back(xla_device());
  }
  return devices;
}

}  // namespace ddx::testing
