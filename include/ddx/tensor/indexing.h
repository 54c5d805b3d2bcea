/// \file
/// Elements by index: gathering, one-hot rows, and the derivatives of a tensor's own accessors.

#pragma once

#include "ddx/ad/results.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx {

// Primal:  y = x[0]
// Adjoint: adj[x[0]] += adj[y]
// Saves:   nothing
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(Tensor<Scalar>::item)
auto item_vjp(const Tensor<Scalar>& x, std::source_location where) {
  return vjp(x.item(where), [shape = x.shape(), device = x.device()](Scalar dy) {
    return full(shape, dy, device);
  });
}

// Tangent: dx[0]
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(Tensor<Scalar>::item)
auto item_jvp(const Tensor<Scalar>& x, std::source_location where, const Tensor<Scalar>& dx) {
  return ValueWithTangent<Scalar, Scalar>{x.item(where),
                                          dx.is_symbolic_zero() ? Scalar{} : dx.item(where)};
}

// Primal:  y = x[index]
// Adjoint: adj[x[index]] += adj[y]
// Saves:   nothing
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(Tensor<Scalar>::operator[])
auto element_vjp(const Tensor<Scalar>& x, const Indices& index) {
  return vjp(x[index], [shape = x.shape(), device = x.device(), index](Scalar dy) {
    auto dx = zeros<Scalar>(shape, device);
    dx.set(index, dy);
    return dx;
  });
}

// Tangent: dx[index]
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(Tensor<Scalar>::operator[])
auto element_jvp(const Tensor<Scalar>& x, const Indices& index, const Tensor<Scalar>& dx) {
  return ValueWithTangent<Scalar, Scalar>{x[index], dx.is_symbolic_zero() ? Scalar{} : dx[index]};
}

// Primal:  y = x on another device
// Adjoint: adj[x] += adj[y] on the device of x
// Saves:   nothing
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(Tensor<Scalar>::to)
auto to_vjp(const Tensor<Scalar>& x, Device device) {
  return detail::tensor_vjp(x.to(device),
                            [back = x.device()](const Tensor<Scalar>& dy) { return dy.to(back); });
}

// Tangent: moved likewise
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(Tensor<Scalar>::to)
auto to_jvp(const Tensor<Scalar>& x, Device device, const Tensor<Scalar>& dx) {
  return detail::tensor_jvp(x.to(device), dx,
                            [&](const Tensor<Scalar>& d) { return d.to(device); });
}

/// The slices of `x` along an axis at the given positions.
///
/// Shapes:   x [a..., k, b...], indices [i...] -> [a..., i..., b...]; k is the extent of the axis
/// Throws:   UsageError where the axis does not exist, an index is not in [0, k), devices differ,
///           or the result has too high a rank.
/// Gradient: each slice of the cotangent added where it came from.
template <TensorScalar Scalar, IndexScalar Index = std::int32_t>
[[nodiscard]] Tensor<Scalar> gather(const Tensor<Scalar>& x, const Tensor<Index>& indices,
                                    std::int64_t axis = 0,
                                    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::gather(x.array(), indices.array(), axis, where));
}

// Primal:  y[a, i, b] = x[a, indices[i], b]
// Adjoint: adj[x[a, indices[i], b]] += adj[y[a, i, b]]
// Saves:   indices
template <TensorScalar Scalar, IndexScalar Index>
DDX_DERIVATIVE_OF(gather)
auto gather_vjp(const Tensor<Scalar>& x, const Tensor<Index>& indices, std::int64_t axis,
                std::source_location where) {
  return detail::tensor_vjp(gather(x, indices, axis, where), [shape = x.shape(), indices, axis,
                                                              where](const Tensor<Scalar>& dy) {
    return Tensor<Scalar>(detail::gather_gradient(dy.array(), indices.array(), shape, axis, where));
  });
}

// Tangent: gathered likewise
template <TensorScalar Scalar, IndexScalar Index>
DDX_DERIVATIVE_OF(gather)
auto gather_jvp(const Tensor<Scalar>& x, const Tensor<Index>& indices, std::int64_t axis,
                std::source_location where, const Tensor<Scalar>& dx) {
  return detail::tensor_jvp(gather(x, indices, axis, where), dx, [&](const Tensor<Scalar>& d) {
    return gather(d, indices, axis, where);
  });
}

/// Rows of zeros with a one at each index; an index outside [0, depth) gives a row of zeros.
///
/// Shapes:  indices [...] -> [..., depth]
/// Throws:  UsageError where the depth is negative or the result has too high a rank.
template <TensorScalar Scalar, IndexScalar Index = std::int32_t>
[[nodiscard]] Tensor<Scalar> one_hot(const Tensor<Index>& indices, std::int64_t depth,
                                     std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::one_hot(indices.array(), depth, dtype_of<Scalar>, where));
}

}  // namespace ddx
