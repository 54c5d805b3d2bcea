/// \file
/// The options of ddx::scan.

#pragma once

#include "ddx/core/shape.h"

#include <optional>

namespace ddx {

/// How `scan` goes over its slices.
struct ScanOptions {
  bool reverse = false;  ///< From the last to the first.
  std::optional<Shape::Extent> turns =
      {};  ///< How many there are, where no tensor among the slices says so.
};

}  // namespace ddx
