/// \file
/// The tangent of layer normalisation.

#pragma once

#include "ddx/core/shape.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/detail/materialized.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <tuple>
#include <utility>

namespace ddx::detail {

/// The product of the Jacobian of normalised rows z, which is symmetric, with d:
/// (d - mean(d) - z mean(z d)) / sqrt(v + e).
template <FloatingScalar Scalar>
Tensor<Scalar> normalized_rows_product(const Tensor<Scalar>& x, const Tensor<Scalar>& d,
                                       const LayerNormOptions& options) {
  const Shape channels{x.shape()[x.rank() - 1]};
  const auto one = ones<Scalar>(channels, x.device());
  const auto zero = zeros<Scalar>(channels, x.device());
  const auto all = layer_norm(x.array(), one.array(), zero.array(), options.epsilon, {});
  return Tensor<Scalar>(std::move(
      layer_norm_gradient(x.array(), one.array(), all[1], all[2], d.array(), options.epsilon)[0]));
}

// Primal:  y = r (d - mean(d) - z mean(z d)) with z = r (x - m), r = 1 / sqrt(v + e)
// Adjoint: adj[d] += J adj[y], which is the same of adj[y]; with c = adj[y], p = mean(z d),
//          q = mean(z c) and t = mean(c d) - mean(c) mean(d) - p q:
//          adj[x] -= r (r t z + q y + p J c)
// Saves:   x, d, y
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(normalized_rows_product)
auto normalized_rows_product_vjp(const Tensor<Scalar>& x, const Tensor<Scalar>& d,
                                 const LayerNormOptions& options) {
  const auto y = normalized_rows_product(x, d, options);
  return tensor_vjp(y, [=](const Tensor<Scalar>& c, Wanted<2> wanted) {
    const auto back = normalized_rows_product(x, c, options);
    Tensor<Scalar> to_x;
    if (wanted[0]) {
      const ReductionOptions row{.axes = {-1}, .keep_dims = true};
      const auto centred = x - mean(x, row);
      const auto r = rsqrt(mean(square(centred), row) + static_cast<Scalar>(options.epsilon));
      const auto z = centred * r;
      const auto p = mean(z * d, row);
      const auto q = mean(z * c, row);
      const auto t = mean(c * d, row) - mean(c, row) * mean(d, row) - p * q;
      to_x = -((z * (r * t) + y * q + back * p) * r);
    }
    return std::tuple(to_x, back);
  });
}

/// The tangent of s (x - m) / sqrt(v + e) + o, where m and v are mean and variance of a row; of
/// 16-bit elements computed in f32. Tangents may be symbolic zeros.
template <FloatingScalar Scalar>
Tensor<Scalar> layer_norm_tangent(const Tensor<Scalar>& x, const Tensor<Scalar>& scale,
                                  const LayerNormOptions& options, const Tensor<Scalar>& dx,
                                  const Tensor<Scalar>& d_scale, const Tensor<Scalar>& d_offset) {
  using Wide = WideScalar<Scalar>;
  const auto wide = cast<Wide>(x);
  Tensor<Wide> tangent;
  if (!dx.is_symbolic_zero()) {
    tangent = normalized_rows_product(wide, cast<Wide>(dx), options) * cast<Wide>(scale);
  }
  if (!d_scale.is_symbolic_zero() || !d_offset.is_symbolic_zero()) {
    tangent = tangent + layer_norm(wide, cast<Wide>(materialized(d_scale, scale)),
                                   cast<Wide>(materialized(d_offset, scale)), options);
  }
  return cast<Scalar>(tangent);
}

}  // namespace ddx::detail
