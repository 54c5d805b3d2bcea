/// \file
/// Arrays as files hold them.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ddx::io {

/// One array as a file holds it: elements in row-major order, little-endian.
struct StoredTensor {
  DType dtype = DType::f32;
  Shape shape;
  std::vector<std::uint8_t> bytes;

  friend bool operator==(const StoredTensor&, const StoredTensor&) = default;
};

/// Arrays by name.
using StoredTensors = std::map<std::string, StoredTensor>;

}  // namespace ddx::io
