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
///
/// A reader of many arrays does not refuse a file for one array that ddx cannot hold, such as a
/// text or a dtype that ddx has not. It gives this array an obstacle and no bytes; whatever uses
/// the array then (to_tensor, a writer, load_model) throws an error with the obstacle as its
/// reason.
struct StoredTensor {
  DType dtype = DType::f32;
  Shape shape;
  std::vector<std::uint8_t> bytes;
  /// Why the array could not be read: names the array, the file and the dtype. Else empty.
  std::string obstacle = {};

  friend bool operator==(const StoredTensor&, const StoredTensor&) = default;
};

/// Arrays by name.
using StoredTensors = std::map<std::string, StoredTensor>;

}  // namespace ddx::io
