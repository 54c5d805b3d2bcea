/// \file
/// The convolution layer that treats each channel of an image for itself.

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

#include <cstdint>
#include <source_location>

namespace ddx::nn {

/// y = activation(depthwise_conv2d(x, filter) + bias).
///
/// Shapes:  x [n, h, w, in], filter [kh, kw, in, multiplier], bias [in multiplier] ->
///          [n, h', w', in multiplier]
template <FloatingScalar Scalar>
struct DepthwiseConv2D {
  struct Options {
    std::int64_t in = 0;
    std::int64_t multiplier = 1;  ///< How many results each channel has.
    Extent2D kernel = {3, 3};
    Extent2D strides = {1, 1};
    Padding padding = Padding::Valid;
    Extent2D dilations = {1, 1};
    bool bias = true;
    Activation activation = Activation::Identity;
    Initializer initializer = Initializer::GlorotUniform;
    RandomKey key{0};  ///< Of the initial filter; `initialize` draws a new one.
    Device device = {};
  };

  Tensor<Scalar> filter;
  Tensor<Scalar> bias;  ///< Without elements in a layer without bias.
  Depthwise2DOptions window;
  bool has_bias = true;
  Activation activation = Activation::Identity;
  Initializer initializer = Initializer::GlorotUniform;

  /// Throws: UsageError where `in`, the multiplier, or an extent of the kernel, the strides or the
  ///         dilations is below 1.
  explicit(false) DepthwiseConv2D(const Options& options)
      : window{.strides = options.strides,
               .padding = options.padding,
               .dilations = options.dilations},
        has_bias(options.bias),
        activation(options.activation),
        initializer(options.initializer) {
    const char* name = "DepthwiseConv2D";
    detail::require_positive(name, "in", options.in);
    detail::require_positive(name, "multiplier", options.multiplier);
    detail::require_all_positive(name, "kernel", options.kernel);
    detail::require_all_positive(name, "strides", options.strides);
    detail::require_all_positive(name, "dilations", options.dilations);
    filter = zeros<Scalar>(detail::filter_shape(options.kernel, options.in, options.multiplier),
                           options.device);
    bias = zeros<Scalar>({options.bias ? options.in * options.multiplier : 0}, options.device);
    initialize(options.key);
  }

  /// Draws the filter, sets the bias to zero.
  void initialize(RandomKey key) {
    const auto& shape = filter.shape();
    const auto points = detail::points(shape);
    filter = initial_values<Scalar>(initializer, shape, {.in = points, .out = points * shape[3]},
                                    key, filter.device());
    bias = zeros<Scalar>(bias.shape(), bias.device());
  }

  /// Shapes:  x [n, h, w, in] -> [n, h', w', in multiplier]
  /// Throws:  UsageError where the shapes do not fit.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    if (!has_bias) {
      return activate(depthwise_conv2d(x, filter, window, where), activation);
    }
    return activate(depthwise_conv2d(x, filter, window, where) + bias, activation);
  }

  DDX_DIFFERENTIABLE(DepthwiseConv2D, filter, bias)
  DDX_NO_DERIVATIVE(window, has_bias, activation, initializer)
};

}  // namespace ddx::nn
