/// \file
/// The tangent of layer normalisation.

#pragma once

#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/detail/materialized.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <tuple>
#include <utility>

namespace ddx::detail {

/// The product of the Jacobian J of normalised rows z, which is symmetric, with d, scaled:
/// s (d - mean(d) - z mean(z d)) / sqrt(v + e).
///
/// Shapes:   x [..., c], scale [c], d [..., c]
template <FloatingScalar Scalar>
Tensor<Scalar> normalized_rows_product(const Tensor<Scalar>& x, const Tensor<Scalar>& scale,
                                       const Tensor<Scalar>& d, const LayerNormOptions& options) {
  const auto one = ones<Scalar>(scale.shape(), x.device());
  const auto zero = zeros<Scalar>(scale.shape(), x.device());
  const auto all = layer_norm(x.array(), one.array(), zero.array(), options.epsilon, {});
  return Tensor<Scalar>(std::move(layer_norm_gradient(x.array(), one.array(), all[1], all[2],
                                                      d.array(), options.epsilon)[0])) *
         scale;
}

// Primal:  y = s J d with J d = r (d - mean(d) - z mean(z d)), z = r (x - m), r = 1 / sqrt(v + e)
// Adjoint: adj[s] += sum adj[y] J d; with c = s adj[y], adj[d] += J c, p = mean(z d),
//          q = mean(z c) and t = mean(c d) - mean(c) mean(d) - p q:
//          adj[x] -= r (r t z + q J d + p J c)
// Saves:   x, s, d
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(normalized_rows_product)
auto normalized_rows_product_vjp(const Tensor<Scalar>& x, const Tensor<Scalar>& scale,
                                 const Tensor<Scalar>& d, const LayerNormOptions& options) {
  return tensor_vjp(
      normalized_rows_product(x, scale, d, options),
      [x, scale, d, options](const Tensor<Scalar>& dy, Wanted<3> wanted) {
        const auto one = ones_like(scale);
        const auto c = dy * scale;
        const auto back = normalized_rows_product(x, one, c, options);
        Tensor<Scalar> to_x;
        Tensor<Scalar> to_scale;
        if (wanted[0] || wanted[1]) {
          const auto ahead = normalized_rows_product(x, one, d, options);
          if (wanted[1]) {
            to_scale = sum_to(dy * ahead, scale.shape());
          }
          if (wanted[0]) {
            const ReductionOptions row{.axes = {-1}, .keep_dims = true};
            const auto centred = x - mean(x, row);
            const auto r = rsqrt(mean(square(centred), row) + static_cast<Scalar>(options.epsilon));
            const auto z = centred * r;
            const auto p = mean(z * d, row);
            const auto q = mean(z * c, row);
            const auto t = mean(c * d, row) - mean(c, row) * mean(d, row) - p * q;
            to_x = -((z * (r * t) + ahead * q + back * p) * r);
          }
        }
        return std::tuple(to_x, to_scale, back);
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
    tangent = normalized_rows_product(wide, cast<Wide>(scale), cast<Wide>(dx), options);
  }
  if (!d_scale.is_symbolic_zero() || !d_offset.is_symbolic_zero()) {
    tangent = tangent + layer_norm(wide, cast<Wide>(materialized(d_scale, scale)),
                                   cast<Wide>(materialized(d_offset, scale)), options);
  }
  return cast<Scalar>(tangent);
}

}  // namespace ddx::detail
