/// \file
/// Products with matrices that are not trained.

#pragma once

#include "ddx/ad/attributes.h"
#include "ddx/ad/results.h"
#include "ddx/ad/vjp.h"
#include "ddx/core/dtype.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/tensor.h"

#include <source_location>
#include <tuple>

namespace ddx::nn::detail {

/// matmul(x, constant), where no derivative goes to the matrix: it is not computed, and `x` is not
/// kept for it.
///
/// Shapes:  x [..., m, k], constant [k, n], or [n, k] transposed -> [..., m, n]
/// Throws:  UsageError as matmul.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> product_with_constant(const Tensor<Scalar>& x,
                                                   const Tensor<Scalar>& constant,
                                                   const MatmulOptions& options,
                                                   std::source_location where) {
  return matmul(x, constant, options, where);
}

// Primal:  y = x c
// Adjoint: adj[x] += adj[y] c^T
// Saves:   c, the shape of x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(product_with_constant)
auto product_with_constant_vjp(const Tensor<Scalar>& x, const Tensor<Scalar>& constant,
                               const MatmulOptions& options, std::source_location where) {
  return ddx::detail::tensor_vjp(
      product_with_constant(x, constant, options, where),
      [shape = x.shape(), constant, options](const Tensor<Scalar>& dy, Wanted<2> wanted) {
        return std::tuple(wanted[0]
                              ? ddx::detail::matmul_left_gradient(dy, shape, constant, options)
                              : Tensor<Scalar>(),
                          Tensor<Scalar>());
      });
}

// Tangent: dx c
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(product_with_constant)
auto product_with_constant_jvp(const Tensor<Scalar>& x, const Tensor<Scalar>& constant,
                               const MatmulOptions& options, std::source_location where,
                               const Tensor<Scalar>& dx, const Tensor<Scalar>& /*d_constant*/) {
  const auto y = matmul(x, constant, options, where);
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{
      y, dx.is_symbolic_zero() ? Tensor<Scalar>() : matmul(dx, constant, options, where)};
}

}  // namespace ddx::nn::detail
