/// \file
/// Slices added where a tensor of indices says.

#pragma once

#include "ddx/core/shape.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/indexing.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx {

namespace detail {

/// The shape of the sums of `count` segments of a tensor of shape `x`.
Shape segments_shape(const Shape& x, const Shape& segments, std::int64_t count,
                     const std::source_location& where);

/// Zeros of shape `shape` to which the slices of `updates` are added; on behalf of `operation`.
template <FloatingScalar Scalar, IndexScalar Index = std::int32_t>
Tensor<Scalar> scattered(const char* operation, const Tensor<Scalar>& updates,
                         const Tensor<Index>& indices, const Shape& shape, std::int64_t axis,
                         std::source_location where) {
  return Tensor<Scalar>(
      scatter_sum(operation, updates.array(), indices.array(), shape, axis, where));
}

// Primal:  y[a, indices[i], b] = sum of u[a, i, b]
// Adjoint: adj[u[a, i, b]] += adj[y[a, indices[i], b]]
// Saves:   indices
template <FloatingScalar Scalar, IndexScalar Index>
DDX_DERIVATIVE_OF(scattered)
auto scattered_vjp(const char* operation, const Tensor<Scalar>& updates,
                   const Tensor<Index>& indices, const Shape& shape, std::int64_t axis,
                   std::source_location where) {
  return tensor_vjp(
      scattered(operation, updates, indices, shape, axis, where),
      [indices, axis](const Tensor<Scalar>& dy) { return gather(dy, indices, axis); });
}

}  // namespace detail

/// `x` with slices added along an axis: y[a, indices[i], b] += updates[a, i, b]. Indices may
/// repeat.
///
/// Shapes:   x [a..., k, b...], indices [i...], updates [a..., i..., b...] -> [a..., k, b...]
/// Throws:   UsageError where the axis does not exist, the updates have another shape, an index is
///           not in [0, k), or devices differ.
/// Gradient: the cotangent to `x`, its slices at the indices to `updates`.
template <FloatingScalar Scalar, IndexScalar Index = std::int32_t>
[[nodiscard]] Tensor<Scalar> scatter_add(
    const Tensor<Scalar>& x, const Tensor<Index>& indices, const Tensor<Scalar>& updates,
    std::int64_t axis = 0, std::source_location where = std::source_location::current()) {
  return x + detail::scattered("scatter_add", updates, indices, x.shape(), axis, where);
}

/// The sums of the rows of each segment: y[s, b] = sum of x[i, b] with segments[i] = s.
///
/// Shapes:   x [i..., b...], segments [i...] -> [count, b...]
/// Throws:   UsageError where `x` does not begin with the axes of `segments`, the count is
///           negative, a segment is not in [0, count), or devices differ.
/// Gradient: the cotangent's row of its segment to each row.
template <FloatingScalar Scalar, IndexScalar Index = std::int32_t>
[[nodiscard]] Tensor<Scalar> segment_sum(
    const Tensor<Scalar>& x, const Tensor<Index>& segments, std::int64_t count,
    std::source_location where = std::source_location::current()) {
  return detail::scattered("segment_sum", x, segments,
                           detail::segments_shape(x.shape(), segments.shape(), count, where), 0,
                           where);
}

}  // namespace ddx
