/// \file
/// Pooling of signals, images and volumes. Samples come first, channels last.

#pragma once

#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/detail/window_motion.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

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

// Primal:  y = max of the window's x
// Adjoint: adj[x] += adj[y] for each window whose first largest element is x
// Saves:   x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(max_pool)
auto max_pool_vjp(const Tensor<Scalar>& x, const WindowMotion& motion, std::source_location where) {
  return tensor_vjp(max_pool(x, motion, where), [x, motion](const Tensor<Scalar>& dy) {
    return Tensor<Scalar>(max_pool_gradient(x.array(), dy.array(), motion));
  });
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
