/// \file
/// The elements that a moving window covers, one place of the window at a time.

#pragma once

#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>

namespace ddx::detail {

/// How many places a window has.
inline std::int64_t places_of(const ops::WindowAttributes& window) {
  return window.size[0] * window.size[1] * window.size[2];
}

/// The elements of each window at its place `i`, in row-major order, with `padding` outside.
///
/// Shapes:   x [n, extents..., c] -> [n, windows..., c]
template <FloatingScalar Scalar>
Tensor<Scalar> at_window_place(const Tensor<Scalar>& x, const ops::WindowAttributes& window,
                               std::int64_t i, const Shape& windows, Scalar padding) {
  const WindowPlaces places = places_in_windows(window, i, x.shape(), windows);
  return slice(pad(x, places.low, places.high, padding), places.box);
}

}  // namespace ddx::detail
