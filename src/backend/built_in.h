/// \file
/// The list of back ends that are part of the library.

#pragma once

#include "ddx/backend/backend.h"
#include "ddx/core/device.h"

#include <vector>

namespace ddx::backend {

/// A back end of the library and the devices it is for.
struct BuiltIn {
  Device::Kind kind;
  const Backend* backend;
};

/// Every back end built into the library.
[[nodiscard]] std::vector<BuiltIn> built_in();

}  // namespace ddx::backend
