/// \file
/// The tangents of normalisations.

#pragma once

#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <tuple>
#include <utility>

namespace ddx::detail {

/// What a normalisation z = (x - m) / sqrt(v + e) takes mean and variance over: each row, or each
/// column of a matrix.
enum class Normalized : std::uint8_t { Rows, Columns };

/// The axes of that.
[[nodiscard]] inline ReductionOptions normalized_axes(Normalized what) {
  return {.axes = {what == Normalized::Rows ? -1 : 0}, .keep_dims = true};
}

/// The normalised elements.
template <FloatingScalar Scalar>
Tensor<Scalar> normalized(Normalized what, const Tensor<Scalar>& x,
                          const LayerNormOptions& options) {
  const Shape channels{x.shape()[x.rank() - 1]};
  const auto one = ones<Scalar>(channels, x.device());
  const auto zero = zeros<Scalar>(channels, x.device());
  return what == Normalized::Rows
             ? layer_norm(x, one, zero, options)
             : batch_norm_training(x, one, zero, {.epsilon = options.epsilon}).output;
}

/// The product of the Jacobian of the normalised elements z, which is symmetric, with d:
/// (d - mean(d) - z mean(z d)) / sqrt(v + e).
template <FloatingScalar Scalar>
Tensor<Scalar> normalized_product(Normalized what, const Tensor<Scalar>& x, const Tensor<Scalar>& d,
                                  const LayerNormOptions& options) {
  const Shape channels{x.shape()[x.rank() - 1]};
  const auto one = ones<Scalar>(channels, x.device());
  const auto zero = zeros<Scalar>(channels, x.device());
  if (what == Normalized::Rows) {
    const auto all = layer_norm(x.array(), one.array(), zero.array(), options.epsilon, {});
    return Tensor<Scalar>(std::move(layer_norm_gradient(x.array(), one.array(), all[1], all[2],
                                                        d.array(), options.epsilon)[0]));
  }
  const auto all = batch_norm_training(x, one, zero, {.epsilon = options.epsilon});
  return Tensor<Scalar>(
      std::move(batch_norm_training_gradient(x.array(), one.array(), all.mean.array(),
                                             all.variance.array(), d.array(), options.epsilon)[0]));
}

// Primal:  y = r (d - mean(d) - z mean(z d)) with z = r (x - m), r = 1 / sqrt(v + e)
// Adjoint: adj[d] += J adj[y], which is the same of adj[y]; with c = adj[y], p = mean(z d),
//          q = mean(z c) and t = mean(c d) - mean(c) mean(d) - p q:
//          adj[x] -= r (r t z + q y + p J c)
// Saves:   x, d, y
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(normalized_product)
auto normalized_product_vjp(Normalized what, const Tensor<Scalar>& x, const Tensor<Scalar>& d,
                            const LayerNormOptions& options) {
  const auto y = normalized_product(what, x, d, options);
  return tensor_vjp(y, [=](const Tensor<Scalar>& c, Wanted<2> wanted) {
    const auto back = normalized_product(what, x, c, options);
    Tensor<Scalar> to_x;
    if (wanted[0]) {
      const ReductionOptions axes = normalized_axes(what);
      const auto centred = x - mean(x, axes);
      const auto r = rsqrt(mean(square(centred), axes) + static_cast<Scalar>(options.epsilon));
      const auto z = centred * r;
      const auto p = mean(z * d, axes);
      const auto q = mean(z * c, axes);
      const auto t = mean(c * d, axes) - mean(c, axes) * mean(d, axes) - p * q;
      to_x = -((z * (r * t) + y * q + back * p) * r);
    }
    return std::tuple(to_x, back);
  });
}

/// The tangent of s (x - m) / sqrt(v + e) + o, where m and v are mean and variance; of 16-bit
/// elements computed in f32. Tangents may be symbolic zeros.
template <FloatingScalar Scalar>
Tensor<Scalar> normalized_tangent(Normalized what, const Tensor<Scalar>& x,
                                  const Tensor<Scalar>& scale, double epsilon,
                                  const Tensor<Scalar>& dx, const Tensor<Scalar>& d_scale,
                                  const Tensor<Scalar>& d_offset) {
  using Wide = WideScalar<Scalar>;
  const LayerNormOptions options{.epsilon = epsilon};
  const auto wide = cast<Wide>(x);
  Tensor<Wide> tangent;
  if (!dx.is_symbolic_zero()) {
    tangent = normalized_product(what, wide, cast<Wide>(dx), options) * cast<Wide>(scale);
  }
  if (!d_scale.is_symbolic_zero()) {
    tangent = tangent + normalized(what, wide, options) * cast<Wide>(d_scale);
  }
  if (!d_offset.is_symbolic_zero()) {
    tangent = broadcast_to(tangent + cast<Wide>(d_offset), x.shape());
  }
  return cast<Scalar>(tangent);
}

/// The tangent of the output of batch_norm_training.
template <FloatingScalar Scalar>
Tensor<Scalar> batch_norm_tangent(const Tensor<Scalar>& x, const Tensor<Scalar>& scale,
                                  const BatchNormOptions& options, const Tensor<Scalar>& dx,
                                  const Tensor<Scalar>& d_scale, const Tensor<Scalar>& d_offset) {
  const Indices rows{-1, x.shape()[x.rank() - 1]};
  const auto tangent =
      normalized_tangent(Normalized::Columns, reshape(x, rows), scale, options.epsilon,
                         dx.is_symbolic_zero() ? dx : reshape(dx, rows), d_scale, d_offset);
  return tangent.is_symbolic_zero() ? tangent : reshape(tangent, x.shape());
}

}  // namespace ddx::detail
