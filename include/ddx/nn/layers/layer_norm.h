/// \file
/// Layer normalisation.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/indices.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/detail/sample_shapes.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/normalization.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx::nn {

/// Normalises each sample by the mean and the variance of its features:
/// y = (x - m) / sqrt(v + epsilon) scale + offset.
///
/// Shapes:  x [..., features] -> [..., features]
/// Source:  J. L. Ba, J. R. Kiros, G. E. Hinton, "Layer normalization", arXiv 1607.06450.
template <FloatingScalar Scalar>
struct LayerNorm {
  struct Options {
    std::int64_t features = 0;
    double epsilon = 1e-3;  ///< Added to the variance.
    Device device = {};
  };

  Tensor<Scalar> scale;
  Tensor<Scalar> offset;
  double epsilon = 1e-3;

  /// Throws: UsageError where `features` is below 1.
  explicit(false) LayerNorm(const Options& options) : epsilon(options.epsilon) {
    detail::require_positive("LayerNorm", "features", options.features);
    scale = ones<Scalar>({options.features}, options.device);
    offset = zeros<Scalar>({options.features}, options.device);
  }

  /// Shapes:  x [..., features] -> [..., features]
  /// Throws:  UsageError where the last axis is not the features.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    // Fails where the last axis is not the features.
    [[maybe_unused]] const Indices axis =
        detail::feature_axis("LayerNorm", x.shape(), scale.shape()[0], where);
    return layer_norm(x, scale, offset, {.epsilon = epsilon}, where);
  }

  DDX_DIFFERENTIABLE(LayerNorm, scale, offset)
  DDX_NO_DERIVATIVE(epsilon)
};

}  // namespace ddx::nn
