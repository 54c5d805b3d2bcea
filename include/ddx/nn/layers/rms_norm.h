/// \file
/// Normalisation by the root mean square.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/indices.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/detail/sample_shapes.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx::nn {

/// Divides each sample by the root mean square of its features:
/// y = x / sqrt(mean(x^2) + epsilon) (scale + centre). Elements of 16 bits are computed in f32.
///
/// Shapes:  x [..., features] -> [..., features]
/// Source:  B. Zhang, R. Sennrich, "Root mean square layer normalization", NeurIPS 2019.
template <FloatingScalar Scalar>
struct RMSNorm {
  struct Options {
    std::int64_t features = 0;
    double epsilon = 1e-6;  ///< Added to the mean square.
    double centre = 0;      ///< Added to the scale: 1 in Gemma, whose scales begin as zeros.
    Device device = {};
  };

  Tensor<Scalar> scale;
  double epsilon = 1e-6;
  double centre = 0;

  /// Throws: UsageError where `features` is below 1.
  explicit(false) RMSNorm(const Options& options)
      : epsilon(options.epsilon), centre(options.centre) {
    detail::require_positive("RMSNorm", "features", options.features);
    scale = full<Scalar>({options.features}, static_cast<Scalar>(1 - centre), options.device);
  }

  /// Shapes:  x [..., features] -> [..., features]
  /// Throws:  UsageError where the last axis is not the features.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    const Indices axis = detail::feature_axis("RMSNorm", x.shape(), scale.shape()[0], where);
    if constexpr (NarrowScalar<Scalar>) {
      using Wide = WideScalar<Scalar>;
      const auto wide = cast<Wide>(x);
      const auto mean_square = mean(square(wide), {.axes = axis, .keep_dims = true}, where);
      return cast<Scalar>(wide * rsqrt(mean_square + static_cast<Wide>(epsilon)) *
                          centred(cast<Wide>(scale)));
    } else {
      const auto mean_square = mean(square(x), {.axes = axis, .keep_dims = true}, where);
      return x * rsqrt(mean_square + static_cast<Scalar>(epsilon)) * centred(scale);
    }
  }

  DDX_DIFFERENTIABLE(RMSNorm, scale)
  DDX_NO_DERIVATIVE(epsilon, centre)

 private:
  template <FloatingScalar Wide>
  [[nodiscard]] Tensor<Wide> centred(const Tensor<Wide>& factors) const {
    return centre == 0 ? factors : factors + static_cast<Wide>(centre);
  }
};

}  // namespace ddx::nn
