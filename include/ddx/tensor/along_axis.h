/// \file
/// One element per place along an axis, chosen by a tensor of indices of the result's shape.

#pragma once

#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx {

/// y[a, i, b] = x[a, indices[a, i, b], b].
///
/// Shapes:   x [a..., k, b...], indices [a..., i, b...] -> [a..., i, b...]
/// Throws:   UsageError where the axis does not exist, shapes differ beyond it, an index is not in
///           [0, k), or devices differ.
/// Gradient: each element of the cotangent added where it came from.
template <TensorScalar Scalar, IndexScalar Index = std::int32_t>
[[nodiscard]] Tensor<Scalar> take_along_axis(
    const Tensor<Scalar>& x, const Tensor<Index>& indices, std::int64_t axis = -1,
    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::take_along_axis(x.array(), indices.array(), axis, where));
}

// Primal:  y[a, i, b] = x[a, indices[a, i, b], b]
// Adjoint: adj[x[a, indices[a, i, b], b]] += adj[y[a, i, b]]
// Saves:   indices
template <TensorScalar Scalar, IndexScalar Index>
DDX_DERIVATIVE_OF(take_along_axis)
auto take_along_axis_vjp(const Tensor<Scalar>& x, const Tensor<Index>& indices, std::int64_t axis,
                         std::source_location where) {
  return detail::tensor_vjp(take_along_axis(x, indices, axis, where),
                            [shape = x.shape(), indices, axis, where](const Tensor<Scalar>& dy) {
                              return Tensor<Scalar>(detail::take_along_axis_gradient(
                                  dy.array(), indices.array(), shape, axis, where));
                            });
}

// Tangent: taken likewise
template <TensorScalar Scalar, IndexScalar Index>
DDX_DERIVATIVE_OF(take_along_axis)
auto take_along_axis_jvp(const Tensor<Scalar>& x, const Tensor<Index>& indices, std::int64_t axis,
                         std::source_location where, const Tensor<Scalar>& dx) {
  return detail::tensor_jvp(
      take_along_axis(x, indices, axis, where), dx,
      [&](const Tensor<Scalar>& d) { return take_along_axis(d, indices, axis, where); });
}

}  // namespace ddx
