/// \file
/// The convolution layers for signals, images and volumes.

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
#include "ddx/tensor/detail/convolve.h"
#include "ddx/tensor/detail/window_motion.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <source_location>

namespace ddx::nn {

/// y = activation(convolution(x, filter) + bias), over one, two or three axes: see conv2d.
///
/// Shapes:  x [n, x_i..., in], filter [k_i..., in / groups, out], bias [out] -> [n, y_i..., out]
template <FloatingScalar Scalar, std::size_t axes>
struct Convolution {
  struct Options {
    std::int64_t in = 0;
    std::int64_t out = 0;
    Extents<axes> kernel = ddx::detail::on_each_axis<axes>(3);
    Extents<axes> strides = ddx::detail::on_each_axis<axes>(1);
    Padding padding = Padding::Valid;
    Extents<axes> dilations = ddx::detail::on_each_axis<axes>(1);
    std::int64_t groups = 1;
    bool bias = true;
    Activation activation = Activation::Identity;
    Initializer initializer = Initializer::GlorotUniform;
    RandomKey key{0};  ///< Of the initial filter; `initialize` draws a new one.
    Device device = {};
  };

  Tensor<Scalar> filter;
  Tensor<Scalar> bias;  ///< Without elements in a layer without bias.
  ConvolutionOptions<axes> window;
  bool has_bias = true;
  Activation activation = Activation::Identity;
  Initializer initializer = Initializer::GlorotUniform;

  /// Throws: UsageError where `in`, `out`, the groups, or an extent of the kernel, the strides or
  ///         the dilations is below 1, or the groups do not divide `in` and `out`.
  explicit(false) Convolution(const Options& options)
      : window{.strides = options.strides,
               .padding = options.padding,
               .dilations = options.dilations,
               .groups = options.groups},
        has_bias(options.bias),
        activation(options.activation),
        initializer(options.initializer) {
    const char* name = detail::by_axes<axes>("Conv1D", "Conv2D", "Conv3D");
    detail::require_convolution<axes>(name, options);
    filter = zeros<Scalar>(
        detail::filter_shape(options.kernel, options.in / options.groups, options.out),
        options.device);
    bias = zeros<Scalar>({options.bias ? options.out : 0}, options.device);
    initialize(options.key);
  }

  /// Draws the filter, sets the bias to zero.
  void initialize(RandomKey key) {
    const auto& shape = filter.shape();
    const auto points = detail::points(shape);
    filter = initial_values<Scalar>(initializer, shape,
                                    {.in = points * shape[axes], .out = points * shape[axes + 1]},
                                    key, filter.device());
    bias = zeros<Scalar>(bias.shape(), bias.device());
  }

  /// Shapes:  x [n, x_i..., in] -> [n, y_i..., out]
  /// Throws:  UsageError where the shapes do not fit.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    const char* name = detail::by_axes<axes>("conv1d", "conv2d", "conv3d");
    const auto y = ddx::detail::convolution(x, filter, ddx::detail::motion_of(name, window), where);
    if (!has_bias) {
      return activate(y, activation);
    }
    return activate(y + bias, activation);
  }

  DDX_DIFFERENTIABLE(Convolution, filter, bias)
  DDX_NO_DERIVATIVE(window, has_bias, activation, initializer)
};

/// Of signals [n, x, in].
template <FloatingScalar Scalar>
using Conv1D = Convolution<Scalar, 1>;

/// Of images [n, h, w, in].
template <FloatingScalar Scalar>
using Conv2D = Convolution<Scalar, 2>;

/// Of volumes [n, d, h, w, in].
template <FloatingScalar Scalar>
using Conv3D = Convolution<Scalar, 3>;

}  // namespace ddx::nn
