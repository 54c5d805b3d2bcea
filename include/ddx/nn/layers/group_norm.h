/// \file
/// Group and instance normalisation.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/detail/sample_shapes.h"
#include "ddx/nn/detail/standardized.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx::nn {

/// Normalises each group of neighbouring channels of each sample by its mean and its variance, then
/// scales and shifts each channel. With as many groups as channels this is instance normalisation,
/// with one group layer normalisation over all axes but the first. Elements of 16 bits are computed
/// in f32.
///
/// Shapes:  x [n, ..., features] -> [n, ..., features]
/// Source:  Y. Wu, K. He, "Group normalization", ECCV 2018; D. Ulyanov, A. Vedaldi, V. Lempitsky,
///          "Instance normalization", arXiv 1607.08022.
template <FloatingScalar Scalar>
struct GroupNorm {
  struct Options {
    std::int64_t features = 0;
    std::int64_t groups = 1;
    double epsilon = 1e-3;  ///< Added to the variance.
    Device device = {};
  };

  Tensor<Scalar> scale;
  Tensor<Scalar> offset;
  std::int64_t groups = 1;
  double epsilon = 1e-3;

  /// Throws: UsageError where `features` or `groups` is below 1, or the groups do not make up the
  ///         features.
  explicit(false) GroupNorm(const Options& options)
      : groups(options.groups), epsilon(options.epsilon) {
    detail::require_positive("GroupNorm", "features", options.features);
    detail::require_positive("GroupNorm", "groups", options.groups);
    detail::require_divisor("GroupNorm", "groups", options.groups, "features", options.features);
    scale = ones<Scalar>({options.features}, options.device);
    offset = zeros<Scalar>({options.features}, options.device);
  }

  /// Shapes:  x [n, ..., features] -> [n, ..., features]
  /// Throws:  UsageError where there is no axis beside the features, or these are others.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    const auto grouped = reshape(
        x, detail::grouped_extents("GroupNorm", x.shape(), scale.shape()[0], groups, where), where);
    if constexpr (NarrowScalar<Scalar>) {
      using Wide = WideScalar<Scalar>;
      const auto normal = detail::standardized(cast<Wide>(grouped), {1, 3}, epsilon, where);
      return cast<Scalar>(reshape(normal, x.shape(), where) * cast<Wide>(scale) +
                          cast<Wide>(offset));
    } else {
      const auto normal = detail::standardized(grouped, {1, 3}, epsilon, where);
      return reshape(normal, x.shape(), where) * scale + offset;
    }
  }

  DDX_DIFFERENTIABLE(GroupNorm, scale, offset)
  DDX_NO_DERIVATIVE(groups, epsilon)
};

/// Group normalisation in which each channel is a group of its own.
///
/// Throws: UsageError where `features` is below 1.
template <FloatingScalar Scalar>
[[nodiscard]] GroupNorm<Scalar> instance_norm(std::int64_t features, double epsilon = 1e-3,
                                              Device device = {}) {
  return GroupNorm<Scalar>(
      {.features = features, .groups = features, .epsilon = epsilon, .device = device});
}

}  // namespace ddx::nn
