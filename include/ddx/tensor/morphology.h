/// \file
/// Grey-value morphology: images whose points become the highest or the lowest around them.

#pragma once

#include "ddx/ad/results.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/detail/window_motion.h"
#include "ddx/tensor/detail/window_places.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/reverse.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <limits>
#include <source_location>
#include <tuple>

namespace ddx {

namespace detail {

/// The axes of a filter's rows and columns; those that there are, of a filter with fewer.
inline Indices rows_and_columns(const Shape& filter) {
  return filter.rank() < 2 ? Indices() : Indices{0, 1};
}

/// The largest sum of the input's and the filter's elements in each window.
template <FloatingScalar Scalar>
Tensor<Scalar> grey_dilation(const Tensor<Scalar>& input, const Tensor<Scalar>& filter,
                             const WindowMotion& motion, std::source_location where) {
  return Tensor<Scalar>(grey_dilation(input.array(), filter.array(), motion, where));
}

// Primal:  y[n, p, c] = max_i x[n, p s - low + i d, c] + w[i, c]
// Adjoint: with i the first largest, adj[x[n, p s - low + i d, c]] += adj[y[n, p, c]],
//          adj[w[i, c]] += adj[y[n, p, c]]
// Saves:   x, w
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(grey_dilation)
auto grey_dilation_vjp(const Tensor<Scalar>& input, const Tensor<Scalar>& filter,
                       const WindowMotion& motion, std::source_location where) {
  return tensor_vjp(
      grey_dilation(input, filter, motion, where),
      [input, filter, motion](const Tensor<Scalar>& dy, Wanted<2> wanted) {
        const auto gradient = [&](ops::Op op) {
          return Tensor<Scalar>(
              grey_dilation_gradient(op, input.array(), filter.array(), dy.array(), motion));
        };
        return std::tuple(
            wanted[0] ? gradient(ops::Op::grey_dilation_input_gradient) : Tensor<Scalar>(),
            wanted[1] ? gradient(ops::Op::grey_dilation_filter_gradient) : Tensor<Scalar>());
      });
}

// Tangent: dx[n, p s - low + i d, c] + dw[i, c] with i the first largest
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(grey_dilation)
auto grey_dilation_jvp(const Tensor<Scalar>& input, const Tensor<Scalar>& filter,
                       const WindowMotion& motion, std::source_location where,
                       const Tensor<Scalar>& d_input, const Tensor<Scalar>& d_filter) {
  const auto y = grey_dilation(input, filter, motion, where);
  const ops::WindowAttributes window = placed_window(motion, input.shape(), filter.shape());
  const auto weights = reshape(filter, {-1, filter.shape()[filter.rank() - 1]});
  const auto d_weights = reshape(conformed(d_filter, filter), weights.shape());
  const auto dx = conformed(d_input, input);
  const auto none = -std::numeric_limits<Scalar>::infinity();
  auto tangent = zeros<Scalar>(y.shape(), y.device());
  auto is_open = equal(y, y);  // False where the first largest has been met.
  for (std::int64_t i = 0; i < places_of(window); ++i) {
    const SliceOptions row{.start = {i, 0}, .stop = {i + 1, weights.shape()[1]}};
    const auto here = at_window_place(input, window, i, y.shape(), none);
    const auto is_first = logical_and(is_open, equal(here + reshape(slice(weights, row), {-1}), y));
    const auto there = at_window_place(dx, window, i, y.shape(), Scalar{});
    tangent = select(is_first, there + reshape(slice(d_weights, row), {-1}), tangent);
    is_open = logical_and(is_open, logical_not(is_first));
  }
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{y, tangent};
}

}  // namespace detail

/// The grey-value dilation: y[n, p, q, c] = max_ij x[n, p s - top + i d, q s - left + j d, c] +
/// filter[i, j, c]. Padding does not count; a window that sees nothing else gives -infinity.
///
/// Shapes:   input [n, h, w, c], filter [kh, kw, c] -> [n, h', w', c], extents as for conv2d
/// Throws:   UsageError where the ranks are not 4 and 3, channels differ, the padded input is
///           smaller than what the filter covers, a stride or a dilation is not positive, padding
///           is negative or for other axes, or devices differ.
/// Gradient: the cotangent to the first largest sum's elements of both operands.
/// Source:   TensorFlow, tf.nn.dilation2d. S. Sternberg, "Grayscale morphology", 1986.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> dilation2d(
    const Tensor<Scalar>& input, const Tensor<Scalar>& filter,
    const MorphologyOptions& options = {},
    std::source_location where = std::source_location::current()) {
  return detail::grey_dilation(input, filter, detail::motion_of("dilation2d", options), where);
}

/// The grey-value erosion: y[n, p, q, c] = min_ij x[n, p s - top + i d, q s - left + j d, c] -
/// filter[kh - 1 - i, kw - 1 - j, c], minus the dilation of -x by the mirrored filter. Padding does
/// not count; a window that sees nothing else gives infinity.
///
/// Shapes:   input [n, h, w, c], filter [kh, kw, c] -> [n, h', w', c], extents as for conv2d
/// Throws:   UsageError as for dilation2d.
/// Gradient: the cotangent to the first smallest difference's elements of both operands.
/// Source:   TensorFlow, tf.nn.erosion2d.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> erosion2d(
    const Tensor<Scalar>& input, const Tensor<Scalar>& filter,
    const MorphologyOptions& options = {},
    std::source_location where = std::source_location::current()) {
  const detail::WindowMotion motion = detail::motion_of("erosion2d", options);
  return -detail::grey_dilation(
      -input, reverse(filter, detail::rows_and_columns(filter.shape()), where), motion, where);
}

}  // namespace ddx
