/// \file
/// Pooling of signals, images and volumes. Samples come first, channels last.

#pragma once

#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/detail/window_motion.h"
#include "ddx/tensor/detail/window_places.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <limits>
#include <source_location>
#include <tuple>

namespace ddx {

namespace detail {

/// The mean of each window.
template <FloatingScalar Scalar>
Tensor<Scalar> avg_pool(const Tensor<Scalar>& x, const WindowMotion& motion,
                        std::source_location where) {
  return Tensor<Scalar>(pool(ops::Op::avg_pool, x.array(), motion, where));
}

/// The cotangent of the operand of avg_pool, which has the shape `x`.
template <FloatingScalar Scalar>
Tensor<Scalar> avg_pool_gradient(const Tensor<Scalar>& dy, const Shape& x,
                                 const WindowMotion& motion) {
  return Tensor<Scalar>(avg_pool_gradient(dy.array(), x, motion));
}

/// The largest element of each window.
template <FloatingScalar Scalar>
Tensor<Scalar> max_pool(const Tensor<Scalar>& x, const WindowMotion& motion,
                        std::source_location where) {
  return Tensor<Scalar>(pool(ops::Op::max_pool, x.array(), motion, where));
}

// Primal:  y = (sum of the window's x) / k, k elements inside
// Adjoint: adj[x] += adj[y] / k for each window that covers x
// Saves:   nothing
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(avg_pool)
auto avg_pool_vjp(const Tensor<Scalar>& x, const WindowMotion& motion, std::source_location where) {
  return tensor_vjp(avg_pool(x, motion, where),
                    [shape = x.shape(), motion](const Tensor<Scalar>& dy) {
                      return avg_pool_gradient(dy, shape, motion);
                    });
}

// Tangent: pooled likewise
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(avg_pool)
auto avg_pool_jvp(const Tensor<Scalar>& x, const WindowMotion& motion, std::source_location where,
                  const Tensor<Scalar>& dx) {
  return tensor_jvp(avg_pool(x, motion, where), dx,
                    [&](const Tensor<Scalar>& d) { return avg_pool(d, motion, where); });
}

// Primal:  x = y / k from each window that covers x
// Adjoint: adj[y] += (sum of the window's adj[x]) / k
// Saves:   nothing
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(avg_pool_gradient)
auto avg_pool_gradient_vjp(const Tensor<Scalar>& dy, const Shape& x, const WindowMotion& motion) {
  return tensor_vjp(avg_pool_gradient(dy, x, motion), [motion](const Tensor<Scalar>& dx) {
    return avg_pool(dx, motion, std::source_location());
  });
}

/// The cotangent of the operand of max_pool.
template <FloatingScalar Scalar>
Tensor<Scalar> max_pool_gradient(const Tensor<Scalar>& x, const Tensor<Scalar>& dy,
                                 const WindowMotion& motion) {
  return Tensor<Scalar>(max_pool_gradient(x.array(), dy.array(), motion));
}

/// The element of `dx` where each window has its first largest element of `x`; 0 for a window that
/// has none, since it has a NaN.
///
/// Cost:     some passes over the result for each place of the window.
template <FloatingScalar Scalar>
Tensor<Scalar> max_pool_tangent(const Tensor<Scalar>& x, const Tensor<Scalar>& dx,
                                const WindowMotion& motion) {
  const auto largest = max_pool(x, motion, std::source_location());
  const ops::WindowAttributes window = placed_window(motion, x.shape());
  const auto none = -std::numeric_limits<Scalar>::infinity();
  auto result = zeros<Scalar>(largest.shape(), x.device());
  auto is_open = equal(largest, largest);  // False where the first largest has been met.
  for (std::int64_t i = 0; i < places_of(window); ++i) {
    const auto here = at_window_place(x, window, i, largest.shape(), none);
    const auto is_first = logical_and(is_open, equal(here, largest));
    const auto there = at_window_place(dx, window, i, largest.shape(), Scalar{});
    result = select(is_first, there, result);
    is_open = logical_and(is_open, logical_not(is_first));
  }
  return result;
}

// Primal:  dx[i] = sum of dy over the windows whose first largest element is x[i]
// Adjoint: adj[dy] += adj[dx] where the window has that element
// Saves:   x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(max_pool_gradient)
auto max_pool_gradient_vjp(const Tensor<Scalar>& x, const Tensor<Scalar>& dy,
                           const WindowMotion& motion) {
  return tensor_vjp(max_pool_gradient(x, dy, motion), [x, motion](const Tensor<Scalar>& dz) {
    return std::tuple(Tensor<Scalar>(), max_pool_tangent(x, dz, motion));
  });
}

// Primal:  dy = dx where the window has its first largest element
// Adjoint: adj[dx] += adj[dy] there
// Saves:   x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(max_pool_tangent)
auto max_pool_tangent_vjp(const Tensor<Scalar>& x, const Tensor<Scalar>& dx,
                          const WindowMotion& motion) {
  return tensor_vjp(max_pool_tangent(x, dx, motion), [x, motion](const Tensor<Scalar>& dz) {
    return std::tuple(Tensor<Scalar>(), max_pool_gradient(x, dz, motion));
  });
}

// Primal:  y = max of the window's x
// Adjoint: adj[x] += adj[y] for each window whose first largest element is x
// Saves:   x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(max_pool)
auto max_pool_vjp(const Tensor<Scalar>& x, const WindowMotion& motion, std::source_location where) {
  return tensor_vjp(max_pool(x, motion, where), [x, motion](const Tensor<Scalar>& dy) {
    return max_pool_gradient(x, dy, motion);
  });
}

// Tangent: that of the first largest element
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(max_pool)
auto max_pool_jvp(const Tensor<Scalar>& x, const WindowMotion& motion, std::source_location where,
                  const Tensor<Scalar>& dx) {
  return tensor_jvp(max_pool(x, motion, where), dx,
                    [&](const Tensor<Scalar>& d) { return max_pool_tangent(x, d, motion); });
}

}  // namespace detail

/// The mean of each window. Padding does not count.
///
/// Shapes:   x [n, l, c] -> [n, (l + before + after - size) / stride + 1, c]
/// Throws:   UsageError as for avg_pool2d.
/// Gradient: the cotangent in equal parts to the window's elements.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> avg_pool1d(
    const Tensor<Scalar>& x, const Pool1DOptions& options = {},
    std::source_location where = std::source_location::current()) {
  return detail::avg_pool(x, detail::motion_of("avg_pool1d", options), where);
}

/// The mean of each window. Padding does not count.
///
/// Shapes:   x [n, h, w, c] -> [n, (h + top + bottom - size) / stride + 1, likewise, c]
/// Throws:   UsageError where `x` has not rank 4, the padded input is smaller than the window, a
///           size is not positive, a stride or padding is negative, or padding reaches the window's
///           size or is for other axes.
/// Gradient: the cotangent in equal parts to the window's elements.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> avg_pool2d(
    const Tensor<Scalar>& x, const Pool2DOptions& options = {},
    std::source_location where = std::source_location::current()) {
  return detail::avg_pool(x, detail::motion_of("avg_pool2d", options), where);
}

/// The mean of each window. Padding does not count.
///
/// Shapes:   x [n, d, h, w, c] ->
///           [n, (d + front + back - size) / stride + 1, likewise, likewise, c]
/// Throws:   UsageError as for avg_pool2d.
/// Gradient: the cotangent in equal parts to the window's elements.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> avg_pool3d(
    const Tensor<Scalar>& x, const Pool3DOptions& options = {},
    std::source_location where = std::source_location::current()) {
  return detail::avg_pool(x, detail::motion_of("avg_pool3d", options), where);
}

/// The largest element of each window. Padding does not count.
///
/// Shapes:   x [n, l, c] -> [n, (l + before + after - size) / stride + 1, c]
/// Throws:   UsageError as for avg_pool2d.
/// Gradient: the cotangent to the first largest element of the window.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> max_pool1d(
    const Tensor<Scalar>& x, const Pool1DOptions& options = {},
    std::source_location where = std::source_location::current()) {
  return detail::max_pool(x, detail::motion_of("max_pool1d", options), where);
}

/// The largest element of each window. Padding does not count.
///
/// Shapes:   x [n, h, w, c] -> [n, (h + top + bottom - size) / stride + 1, likewise, c]
/// Throws:   UsageError as for avg_pool2d.
/// Gradient: the cotangent to the first largest element, row by row, of the window.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> max_pool2d(
    const Tensor<Scalar>& x, const Pool2DOptions& options = {},
    std::source_location where = std::source_location::current()) {
  return detail::max_pool(x, detail::motion_of("max_pool2d", options), where);
}

/// The largest element of each window. Padding does not count.
///
/// Shapes:   x [n, d, h, w, c] ->
///           [n, (d + front + back - size) / stride + 1, likewise, likewise, c]
/// Throws:   UsageError as for avg_pool2d.
/// Gradient: the cotangent to the first largest element, plane by plane and row by row, of the
///           window.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> max_pool3d(
    const Tensor<Scalar>& x, const Pool3DOptions& options = {},
    std::source_location where = std::source_location::current()) {
  return detail::max_pool(x, detail::motion_of("max_pool3d", options), where);
}

}  // namespace ddx
