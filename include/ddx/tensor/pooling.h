/// \file
/// Two-dimensional pooling.

#pragma once

#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx {

/// The mean of each window. Padding does not count.
///
/// Shapes:   x [n, h, w, c] -> [n, (h + top + bottom - size) / stride + 1, likewise, c]
/// Throws:   UsageError where `x` has not rank 4, the padded input is smaller than the window, a
/// size is not positive, a stride or
///           padding is negative, or padding reaches the window's size.
/// Gradient: the cotangent in equal parts to the window's elements.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> avg_pool2d(
    const Tensor<Scalar>& x, const Pool2DOptions& options = {},
    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::pool2d(ops::Op::avg_pool2d, x.array(), options, where));
}

// Primal:  y = (sum of the window's x) / k, k elements inside
// Adjoint: adj[x] += adj[y] / k for each window that covers x
// Saves:   nothing
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(avg_pool2d)
auto avg_pool2d_vjp(const Tensor<Scalar>& x, const Pool2DOptions& options,
                    std::source_location where) {
  return detail::tensor_vjp(
      avg_pool2d(x, options, where), [shape = x.shape(), options](const Tensor<Scalar>& dy) {
        return Tensor<Scalar>(detail::avg_pool2d_gradient(dy.array(), shape, options));
      });
}

// Tangent: pooled likewise
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(avg_pool2d)
auto avg_pool2d_jvp(const Tensor<Scalar>& x, const Pool2DOptions& options,
                    std::source_location where, const Tensor<Scalar>& dx) {
  return detail::tensor_jvp(avg_pool2d(x, options, where), dx,
                            [&](const Tensor<Scalar>& d) { return avg_pool2d(d, options, where); });
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
  return Tensor<Scalar>(detail::pool2d(ops::Op::max_pool2d, x.array(), options, where));
}

// Primal:  y = max of the window's x
// Adjoint: adj[x] += adj[y] for each window whose first largest element is x
// Saves:   x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(max_pool2d)
auto max_pool2d_vjp(const Tensor<Scalar>& x, const Pool2DOptions& options,
                    std::source_location where) {
  return detail::tensor_vjp(max_pool2d(x, options, where), [x, options](const Tensor<Scalar>& dy) {
    return Tensor<Scalar>(detail::max_pool2d_gradient(x.array(), dy.array(), options));
  });
}

}  // namespace ddx
