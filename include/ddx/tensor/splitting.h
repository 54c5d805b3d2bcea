/// \file
/// Tensors cut along an axis.

#pragma once

#include "ddx/core/indices.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/tensor_lists.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>
#include <vector>

namespace ddx {

namespace detail {
/// `count` equal sizes that make up the axis.
std::vector<std::int64_t> equal_sizes(const Shape& shape, std::int64_t count, std::int64_t axis,
                                      const std::source_location& where);
}  // namespace detail

/// Parts of these sizes, one after another along an axis.
///
/// Shapes:   x [a..., n, b...] -> [a..., sizes_k, b...]
/// Throws:   UsageError where the axis does not exist, a size is negative, or the sizes do not make
///           up the axis.
/// Gradient: the cotangents one after another.
template <TensorScalar Scalar>
[[nodiscard]] std::vector<Tensor<Scalar>> split(
    const Tensor<Scalar>& x, const std::vector<std::int64_t>& sizes, std::int64_t axis = 0,
    std::source_location where = std::source_location::current()) {
  return detail::tensors_of<Scalar>(detail::split(x.array(), sizes, axis, where));
}

// Primal:  y_k = the part of x that begins where the one before ends
// Adjoint: adj[x] += the adj[y_k] one after another
// Saves:   nothing
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(split)
auto split_vjp(const Tensor<Scalar>& x, const std::vector<std::int64_t>& sizes, std::int64_t axis,
               std::source_location where) {
  auto parts = split(x, sizes, axis, where);
  return vjp(parts, [shapes = detail::shapes_of(parts), shape = x.shape(), device = x.device(),
                     axis](const std::vector<Tensor<Scalar>>& dy) {
    return shapes.empty() ? zeros<Scalar>(shape, device)
                          : concatenate(detail::real_tangents(dy, shapes, device), axis);
  });
}

// Tangent: that of x cut likewise
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(split)
auto split_jvp(const Tensor<Scalar>& x, const std::vector<std::int64_t>& sizes, std::int64_t axis,
               std::source_location where, const Tensor<Scalar>& dx) {
  using Parts = std::vector<Tensor<Scalar>>;
  return ValueWithTangent<Parts, Parts>{
      split(x, sizes, axis, where),
      dx.is_symbolic_zero() ? Parts() : split(dx, sizes, axis, where)};
}

/// `count` parts of equal size along an axis.
///
/// Shapes:   x [a..., count n, b...] -> count tensors [a..., n, b...]
/// Throws:   UsageError where the axis does not exist or is no multiple of the count.
/// Gradient: the cotangents one after another.
template <TensorScalar Scalar>
[[nodiscard]] std::vector<Tensor<Scalar>> split_equally(
    const Tensor<Scalar>& x, std::int64_t count, std::int64_t axis = 0,
    std::source_location where = std::source_location::current()) {
  return split(x, detail::equal_sizes(x.shape(), count, axis, where), axis, where);
}

}  // namespace ddx
