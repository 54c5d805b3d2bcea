/// \file
/// Convolution layers that treat each channel for itself and combine the channels afterwards.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/activation.h"
#include "ddx/nn/detail/by_axes.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/initializers/initializer.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/depthwise_convolution.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <source_location>

namespace ddx::nn {

/// y = activation(separable convolution(x, depthwise, pointwise) + bias): see separable_conv2d.
///
/// Shapes:  x [n, x_i..., in], depthwise [k_i..., in, multiplier],
///          pointwise [1..., in multiplier, out], bias [out] -> [n, y_i..., out]
template <FloatingScalar Scalar, std::size_t axes>
struct SeparableConvolution {
  static_assert(axes == 1 || axes == 2);

  struct Options {
    std::int64_t in = 0;
    std::int64_t out = 0;
    std::int64_t multiplier = 1;  ///< How many results each channel has before they are combined.
    Extents<axes> kernel = ddx::detail::on_each_axis<axes>(3);
    Extents<axes> strides = ddx::detail::on_each_axis<axes>(1);
    Padding padding = Padding::Valid;
    Extents<axes> dilations = ddx::detail::on_each_axis<axes>(1);
    bool bias = true;
    Activation activation = Activation::Identity;
    Initializer initializer = Initializer::GlorotUniform;
    RandomKey key{0};  ///< Of the initial filters; `initialize` draws new ones.
    Device device = {};
  };

  Tensor<Scalar> depthwise;
  Tensor<Scalar> pointwise;
  Tensor<Scalar> bias;  ///< Without elements in a layer without bias.
  DepthwiseOptions<axes> window;
  bool has_bias = true;
  Activation activation = Activation::Identity;
  Initializer initializer = Initializer::GlorotUniform;

  /// Throws: UsageError where `in`, `out`, the multiplier, or an extent of the kernel, the strides
  ///         or the dilations is below 1.
  explicit(false) SeparableConvolution(const Options& options)
      : window{.strides = options.strides,
               .padding = options.padding,
               .dilations = options.dilations},
        has_bias(options.bias),
        activation(options.activation),
        initializer(options.initializer) {
    const char* name = axes == 1 ? "SeparableConv1D" : "SeparableConv2D";
    detail::require_positive(name, "in", options.in);
    detail::require_positive(name, "out", options.out);
    detail::require_positive(name, "multiplier", options.multiplier);
    detail::require_all_positive(name, "kernel", options.kernel);
    detail::require_all_positive(name, "strides", options.strides);
    detail::require_all_positive(name, "dilations", options.dilations);
    const auto one = ddx::detail::on_each_axis<axes>(1);
    const Shape of_channels = detail::filter_shape(options.kernel, options.in, options.multiplier);
    const Shape of_points = detail::filter_shape(one, options.in * options.multiplier, options.out);
    depthwise = zeros<Scalar>(of_channels, options.device);
    pointwise = zeros<Scalar>(of_points, options.device);
    bias = zeros<Scalar>({options.bias ? options.out : 0}, options.device);
    initialize(options.key);
  }

  /// Draws the filters, sets the bias to zero.
  void initialize(RandomKey key) {
    const auto points = detail::points(depthwise.shape());
    depthwise = initial_values<Scalar>(initializer, depthwise.shape(),
                                       {.in = points, .out = points * depthwise.shape()[axes + 1]},
                                       key.fold_in(0), depthwise.device());
    pointwise =
        initial_values<Scalar>(initializer, pointwise.shape(),
                               {.in = pointwise.shape()[axes], .out = pointwise.shape()[axes + 1]},
                               key.fold_in(1), pointwise.device());
    bias = zeros<Scalar>(bias.shape(), bias.device());
  }

  /// Shapes:  x [n, x_i..., in] -> [n, y_i..., out]
  /// Throws:  UsageError where the shapes do not fit.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    if (!has_bias) {
      return activate(convolved(x, where), activation);
    }
    return activate(convolved(x, where) + bias, activation);
  }

  DDX_DIFFERENTIABLE(SeparableConvolution, depthwise, pointwise, bias)
  DDX_NO_DERIVATIVE(window, has_bias, activation, initializer)

 private:
  [[nodiscard]] Tensor<Scalar> convolved(const Tensor<Scalar>& x,
                                         std::source_location where) const {
    if constexpr (axes == 1) {
      return separable_conv1d(x, depthwise, pointwise, window, where);
    } else {
      return separable_conv2d(x, depthwise, pointwise, window, where);
    }
  }
};

/// Of signals [n, x, in].
template <FloatingScalar Scalar>
using SeparableConv1D = SeparableConvolution<Scalar, 1>;

/// Of images [n, h, w, in].
template <FloatingScalar Scalar>
using SeparableConv2D = SeparableConvolution<Scalar, 2>;

}  // namespace ddx::nn
