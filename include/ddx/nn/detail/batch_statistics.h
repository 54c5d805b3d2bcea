/// \file
/// Batch normalisation that leaves the statistics of the batch for the running averages.

#pragma once

#include "ddx/ad/attributes.h"
#include "ddx/ad/results.h"
#include "ddx/ad/vjp.h"
#include "ddx/core/dtype.h"
#include "ddx/tensor/normalization.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/tensor.h"

#include <memory>
#include <source_location>
#include <utility>

namespace ddx::nn::detail {

/// Mean and variance per channel; symbolic zeros until a batch was seen. They carry no derivative.
template <FloatingScalar Scalar>
struct BatchStatistics {
  using DdxHoldsNoReals = void;

  Tensor<WideScalar<Scalar>> mean;
  Tensor<WideScalar<Scalar>> variance;
};

/// batch_norm_training, with mean and variance written to `into`. A function of its own with a
/// registered derivative: the write is then no part of what is differentiated, and happens once.
template <FloatingScalar Scalar>
Tensor<Scalar> normalized_by_batch(const Tensor<Scalar>& x, const Tensor<Scalar>& scale,
                                   const Tensor<Scalar>& offset, const BatchNormOptions& options,
                                   const std::shared_ptr<BatchStatistics<Scalar>>& into,
                                   std::source_location where) {
  auto result = batch_norm_training(x, scale, offset, options, where);
  into->mean = result.mean;
  into->variance = result.variance;
  return result.output;
}

// Primal, adjoint, saves: as of batch_norm_training, of which this is the output.
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(normalized_by_batch)
auto normalized_by_batch_vjp(const Tensor<Scalar>& x, const Tensor<Scalar>& scale,
                             const Tensor<Scalar>& offset, const BatchNormOptions& options,
                             const std::shared_ptr<BatchStatistics<Scalar>>& into,
                             std::source_location where) {
  auto [result, pullback] = batch_norm_training_vjp(x, scale, offset, options, where);
  into->mean = result.mean;
  into->variance = result.variance;
  return vjp(result.output, [way_back = std::move(pullback)](const Tensor<Scalar>& dy) {
    typename BatchNormalized<Scalar>::TangentVector tangent;
    tangent.output = dy;
    return way_back(tangent);
  });
}

// Tangent: as of batch_norm_training
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(normalized_by_batch)
auto normalized_by_batch_jvp(const Tensor<Scalar>& x, const Tensor<Scalar>& scale,
                             const Tensor<Scalar>& offset, const BatchNormOptions& options,
                             const std::shared_ptr<BatchStatistics<Scalar>>& into,
                             std::source_location where, const Tensor<Scalar>& dx,
                             const Tensor<Scalar>& d_scale, const Tensor<Scalar>& d_offset) {
  const auto y = normalized_by_batch(x, scale, offset, options, into, where);
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{
      y, ddx::detail::batch_norm_tangent(x, scale, {into->mean, into->variance, options.epsilon},
                                         dx, d_scale, d_offset)};
}

}  // namespace ddx::nn::detail
