/// \file
/// Elements in the opposite order.

#pragma once

#include "ddx/core/indices.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx {

/// The elements in the opposite order along these axes; without any given, along all.
///
/// Shapes:   x [...] -> [...]
/// Throws:   UsageError where an axis does not exist or is named twice.
/// Gradient: the cotangent in the opposite order.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> reverse(const Tensor<Scalar>& x, const Indices& axes = {},
                                     std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::reverse(x.array(), axes, where));
}

// Primal:  y_i = x_(n - 1 - i) along the axes
// Adjoint: adj[x_i] += adj[y_(n - 1 - i)]
// Saves:   nothing
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(reverse)
auto reverse_vjp(const Tensor<Scalar>& x, const Indices& axes, std::source_location where) {
  return detail::tensor_vjp(reverse(x, axes, where),
                            [axes](const Tensor<Scalar>& dy) { return reverse(dy, axes); });
}

}  // namespace ddx
