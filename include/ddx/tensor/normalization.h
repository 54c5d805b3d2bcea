/// \file
/// Normalisation of channels and of rows.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/ad/results.h"
#include "ddx/core/indices.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/detail/batch_norm_tangent.h"
#include "ddx/tensor/detail/layer_norm_tangent.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <source_location>
#include <tuple>
#include <utility>

namespace ddx {

/// The result of batch_norm_training. The statistics carry no gradient: they are for running
/// averages.
template <FloatingScalar Scalar>
struct BatchNormalized {
  Tensor<Scalar> output;  ///< Normalised, scaled and shifted.
  /// Per channel; in f32 where elements have 16 bits.
  Tensor<WideScalar<Scalar>> mean;
  /// Per channel, divided by the number of elements; in f32 where elements have 16 bits.
  Tensor<WideScalar<Scalar>> variance;

  DDX_DIFFERENTIABLE(BatchNormalized, output)
  DDX_NO_DERIVATIVE(mean, variance)
};

/// Normalises each channel (the last axis) by the mean and variance it has in this batch.
///
/// Shapes:   x [..., c], scale [c], offset [c] -> output [..., c], mean [c], variance [c]
/// Throws:   UsageError where the shapes do not fit, `x` has no element, or devices differ.
/// Gradient: through the output, to all three operands, including the way through mean and
///           variance.
/// Source:   S. Ioffe, C. Szegedy, "Batch normalization", ICML 2015.
template <FloatingScalar Scalar>
[[nodiscard]] BatchNormalized<Scalar> batch_norm_training(
    const Tensor<Scalar>& x, const Tensor<Scalar>& scale, const Tensor<Scalar>& offset,
    const BatchNormOptions& options = {},
    std::source_location where = std::source_location::current()) {
  auto [output, mean, variance] =
      detail::batch_norm_training(x.array(), scale.array(), offset.array(), options.epsilon, where);
  using Statistics = Tensor<WideScalar<Scalar>>;
  return {Tensor<Scalar>(std::move(output)), Statistics(std::move(mean)),
          Statistics(std::move(variance))};
}

// Primal:  z = (x - m) / sqrt(v + e), y = s z + o; m and v over all axes but the last, n elements
// Adjoint: adj[o] += sum adj[y], adj[s] += sum z adj[y],
//          adj[x] += s / sqrt(v + e) (adj[y] - sum adj[y] / n - z sum(z adj[y]) / n)
// Saves:   x, s, m, v
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(batch_norm_training)
auto batch_norm_training_vjp(const Tensor<Scalar>& x, const Tensor<Scalar>& scale,
                             const Tensor<Scalar>& offset, const BatchNormOptions& options,
                             std::source_location where) {
  using Tangent = typename BatchNormalized<Scalar>::TangentVector;
  auto y = batch_norm_training(x, scale, offset, options, where);
  return vjp(y, [x, scale, mean = y.mean, variance = y.variance, options](const Tangent& dy) {
    if (dy.output.is_symbolic_zero()) {
      return std::tuple(Tensor<Scalar>(), Tensor<Scalar>(), Tensor<Scalar>());
    }
    auto [dx, dscale, doffset] =
        detail::batch_norm_training_gradient(x.array(), scale.array(), mean.array(),
                                             variance.array(), dy.output.array(), options.epsilon);
    return std::tuple(Tensor<Scalar>(std::move(dx)), Tensor<Scalar>(std::move(dscale)),
                      Tensor<Scalar>(std::move(doffset)));
  });
}

// Tangent: dy = s dz + z ds + do with dz = (dx - mean(dx) - z mean(z dx)) / sqrt(v + e)
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(batch_norm_training)
auto batch_norm_training_jvp(const Tensor<Scalar>& x, const Tensor<Scalar>& scale,
                             const Tensor<Scalar>& offset, const BatchNormOptions& options,
                             std::source_location where, const Tensor<Scalar>& dx,
                             const Tensor<Scalar>& d_scale, const Tensor<Scalar>& d_offset) {
  using Tangent = typename BatchNormalized<Scalar>::TangentVector;
  const auto y = batch_norm_training(x, scale, offset, options, where);
  Tangent tangent;
  tangent.output = detail::batch_norm_tangent(x, scale, {y.mean, y.variance, options.epsilon}, dx,
                                              d_scale, d_offset);
  return ValueWithTangent<BatchNormalized<Scalar>, Tangent>{y, tangent};
}

/// Normalises each channel (the last axis) by a given mean and variance.
///
/// Shapes:   x [..., c], scale [c], offset [c], mean [c], variance [c] -> [..., c]
/// DTypes:   mean and variance are f32 where the elements have 16 bits.
/// Throws:   UsageError where the shapes do not fit, or devices differ.
/// Gradient: to all five operands.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> batch_norm_inference(
    const Tensor<Scalar>& x, const Tensor<Scalar>& scale, const Tensor<Scalar>& offset,
    const Tensor<WideScalar<Scalar>>& mean, const Tensor<WideScalar<Scalar>>& variance,
    const BatchNormOptions& options = {},
    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::batch_norm_inference(x.array(), scale.array(), offset.array(),
                                                     mean.array(), variance.array(),
                                                     options.epsilon, where));
}

// Primal:  z = (x - m) / sqrt(v + e), y = s z + o
// Adjoint: adj[x] += r adj[y] with r = s / sqrt(v + e), adj[m] -= sum r adj[y],
//          adj[v] -= sum r z adj[y] / (2 sqrt(v + e)),
//          adj[s] += sum z adj[y], adj[o] += sum adj[y]
// Saves:   x, s, m, v
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(batch_norm_inference)
auto batch_norm_inference_vjp(const Tensor<Scalar>& x, const Tensor<Scalar>& scale,
                              const Tensor<Scalar>& offset, const Tensor<WideScalar<Scalar>>& mean,
                              const Tensor<WideScalar<Scalar>>& variance,
                              const BatchNormOptions& options, std::source_location where) {
  return detail::tensor_vjp(
      batch_norm_inference(x, scale, offset, mean, variance, options, where),
      [x, scale, mean, variance, options](const Tensor<Scalar>& given, Wanted<5> wanted) {
        using Wide = WideScalar<Scalar>;
        const auto dy = cast<Wide>(given);
        const auto inverse = rsqrt(variance + static_cast<Wide>(options.epsilon));
        const auto factor = cast<Wide>(scale) * inverse;
        const auto sum_dy = sum_to(dy, scale.shape());
        Tensor<Wide> sum_dy_z;
        if (wanted[1] || wanted[4]) {
          sum_dy_z = sum_to(dy * (cast<Wide>(x) - mean), scale.shape()) * inverse;
        }
        return std::tuple(wanted[0] ? cast<Scalar>(dy * factor) : Tensor<Scalar>(),
                          cast<Scalar>(sum_dy_z), cast<Scalar>(sum_dy), -(sum_dy * factor),
                          sum_dy_z * factor * inverse * Wide{-0.5});
      });
}

/// Normalises each row (along the last axis) by its mean and variance:
/// y = (x - m) / sqrt(v + epsilon) scale + offset.
///
/// Shapes:   x [..., c], scale [c], offset [c] -> [..., c]
/// Throws:   UsageError where the shapes do not fit, or devices differ.
/// Gradient: to all three operands, including the way through mean and variance.
/// Source:   J. L. Ba, J. R. Kiros, G. E. Hinton, "Layer normalization", arXiv 1607.06450.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> layer_norm(
    const Tensor<Scalar>& x, const Tensor<Scalar>& scale, const Tensor<Scalar>& offset,
    const LayerNormOptions& options = {},
    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(std::move(
      detail::layer_norm(x.array(), scale.array(), offset.array(), options.epsilon, where)[0]));
}

// Primal:  z = (x - m) / sqrt(v + e), y = s z + o; m and v along the last axis, n elements
// Adjoint: adj[o] += sum adj[y], adj[s] += sum z adj[y], both over rows; with d = s adj[y],
//          adj[x] += (d - sum d / n - z sum(z d) / n) / sqrt(v + e)
// Saves:   x, s, m, v
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(layer_norm)
auto layer_norm_vjp(const Tensor<Scalar>& x, const Tensor<Scalar>& scale,
                    const Tensor<Scalar>& offset, const LayerNormOptions& options,
                    std::source_location where) {
  auto [y, m, v] =
      detail::layer_norm(x.array(), scale.array(), offset.array(), options.epsilon, where);
  return detail::tensor_vjp(
      Tensor<Scalar>(std::move(y)), [x, scale, mean = Tensor<WideScalar<Scalar>>(std::move(m)),
                                     variance = Tensor<WideScalar<Scalar>>(std::move(v)),
                                     options](const Tensor<Scalar>& dy, Wanted<3>) {
        auto [dx, dscale, doffset] = detail::layer_norm_gradient(
            x.array(), scale.array(), mean.array(), variance.array(), dy.array(), options.epsilon);
        return std::tuple(Tensor<Scalar>(std::move(dx)), Tensor<Scalar>(std::move(dscale)),
                          Tensor<Scalar>(std::move(doffset)));
      });
}

// Tangent: dy = s dz + z ds + do with dz = (dx - mean(dx) - z mean(z dx)) / sqrt(v + e)
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(layer_norm)
auto layer_norm_jvp(const Tensor<Scalar>& x, const Tensor<Scalar>& scale,
                    const Tensor<Scalar>& offset, const LayerNormOptions& options,
                    std::source_location where, const Tensor<Scalar>& dx,
                    const Tensor<Scalar>& d_scale, const Tensor<Scalar>& d_offset) {
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{
      layer_norm(x, scale, offset, options, where),
      detail::layer_norm_tangent(x, scale, options, dx, d_scale, d_offset)};
}

}  // namespace ddx
