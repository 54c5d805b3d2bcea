/// \file
/// Arrays as files hold them, without a copy of their bytes.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/io/stored_tensor.h"

#include <cstdint>
#include <span>
#include <string>

namespace ddx::io {

/// An array whose bytes lie elsewhere: in a mapped file, or in a StoredTensor. They may begin at
/// any address, so elements are read from them by `memcpy`.
struct StoredView {
  DType dtype = DType::f32;
  Shape shape;
  std::span<const std::uint8_t> bytes;
  /// As StoredTensor::obstacle.
  std::string obstacle = {};
};

/// The array as a view, for as long as it lives and its bytes stay.
[[nodiscard]] inline StoredView view_of(const StoredTensor& array [[clang::lifetimebound]]) {
  return {array.dtype, array.shape, array.bytes, array.obstacle};
}

/// The array with bytes of its own.
[[nodiscard]] inline StoredTensor copy_of(const StoredView& array) {
  return {array.dtype, array.shape, {array.bytes.begin(), array.bytes.end()}, array.obstacle};
}

}  // namespace ddx::io
