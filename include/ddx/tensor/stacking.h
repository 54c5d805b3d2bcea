/// \file
/// Tensors of one shape along a new axis, and back.

#pragma once

#include "ddx/tensor/creation.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/tensor_lists.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>
#include <utility>
#include <vector>

namespace ddx {

/// The parts along a new axis, which becomes axis `axis` of the result.
///
/// Shapes:   n parts [a..., b...] -> [a..., n, b...]
/// Throws:   UsageError where there is no part, shapes or devices differ, or the result has no such
///           axis.
/// Gradient: to each part its slice of the cotangent.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> stack(const std::vector<Tensor<Scalar>>& parts, std::int64_t axis = 0,
                                   std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::stack(detail::arrays_of(parts), axis, where));
}

/// The slices along an axis, each without it.
///
/// Shapes:   x [a..., n, b...] -> n tensors [a..., b...]
/// Throws:   UsageError where the axis does not exist.
/// Gradient: the cotangents stacked.
template <TensorScalar Scalar>
[[nodiscard]] std::vector<Tensor<Scalar>> unstack(
    const Tensor<Scalar>& x, std::int64_t axis = 0,
    std::source_location where = std::source_location::current()) {
  return detail::tensors_of<Scalar>(detail::unstack(x.array(), axis, where));
}

// Primal:  y[a, k, b] = part_k[a, b]
// Adjoint: adj[part_k[a, b]] += adj[y[a, k, b]]
// Saves:   nothing
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(stack)
auto stack_vjp(const std::vector<Tensor<Scalar>>& parts, std::int64_t axis,
               std::source_location where) {
  return detail::tensor_vjp(stack(parts, axis, where),
                            [axis](const Tensor<Scalar>& dy) { return unstack(dy, axis); });
}

// Tangent: the tangents stacked
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(stack)
auto stack_jvp(const std::vector<Tensor<Scalar>>& parts, std::int64_t axis,
               std::source_location where, const std::vector<Tensor<Scalar>>& d_parts) {
  auto y = stack(parts, axis, where);
  auto dy =
      stack(detail::real_tangents(d_parts, detail::shapes_of(parts), y.device()), axis, where);
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{std::move(y), std::move(dy)};
}

// Primal:  y_k[a, b] = x[a, k, b]
// Adjoint: adj[x[a, k, b]] += adj[y_k[a, b]]
// Saves:   nothing
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(unstack)
auto unstack_vjp(const Tensor<Scalar>& x, std::int64_t axis, std::source_location where) {
  auto parts = unstack(x, axis, where);
  return vjp(parts, [shapes = detail::shapes_of(parts), shape = x.shape(), device = x.device(),
                     axis](const std::vector<Tensor<Scalar>>& dy) {
    return shapes.empty() ? zeros<Scalar>(shape, device)
                          : stack(detail::real_tangents(dy, shapes, device), axis);
  });
}

// Tangent: that of x unstacked
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(unstack)
auto unstack_jvp(const Tensor<Scalar>& x, std::int64_t axis, std::source_location where,
                 const Tensor<Scalar>& dx) {
  using Parts = std::vector<Tensor<Scalar>>;
  return ValueWithTangent<Parts, Parts>{unstack(x, axis, where),
                                        dx.is_symbolic_zero() ? Parts() : unstack(dx, axis, where)};
}

}  // namespace ddx
