/// \file
/// Four devices of XLA's plugin for CPUs, which share the processors.

#pragma once

#include "ddx/backend/pjrt.h"
#include "ddx/core/device.h"
#include "ddx/core/mesh.h"

#include <utility>
#include <vector>

namespace ddx::testing {

/// The first of them. The plugin is in DDX_PJRT_FOLDER, where tools/install_pjrt_plugin puts it.
inline Device first_virtual_device() {
  static const Device device = [] {
    backend::add_pjrt_folder(DDX_PJRT_FOLDER);
    backend::set_pjrt_options("cpu", {.cpu_device_count = 4, .try_in_child_first = false});
    return Device::pjrt("cpu");
  }();
  return device;
}

/// A mesh of them.
inline Mesh mesh_of(std::vector<MeshAxis> axes) {
  return {std::move(axes), first_virtual_device()};
}

}  // namespace ddx::testing
