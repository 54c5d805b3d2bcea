/// \file
/// The transposed convolution layers for signals, images and volumes.

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

/// y = activation(transposed convolution(x, filter) + bias): see transposed_conv2d.
///
/// Shapes:  x [n, x_i..., in], filter [k_i..., out / groups, in], bias [out] -> [n, y_i..., out]
template <FloatingScalar Scalar, std::size_t axes>
struct TransposedConvolution {
  struct Options {
    std::int64_t in = 0;
    std::int64_t out = 0;
    Extents<axes> kernel = ddx::detail::on_each_axis<axes>(3);
    Extents<axes> strides = ddx::detail::on_each_axis<axes>(1);
    Padding padding = Padding::Valid;
    Extents<axes> dilations = ddx::detail::on_each_axis<axes>(1);
    std::int64_t groups = 1;
    Extents<axes> extents = {};  ///< Of the result; 0: the usual ones, see transposed_conv2d.
    bool bias = true;
    Activation activation = Activation::Identity;
    Initializer initializer = Initializer::GlorotUniform;
    RandomKey key{0};  ///< Of the initial filter; `initialize` draws a new one.
    Device device = {};
  };

  Tensor<Scalar> filter;
  Tensor<Scalar> bias;  ///< Without elements in a layer without bias.
  TransposedConvolutionOptions<axes> window;
  bool has_bias = true;
  Activation activation = Activation::Identity;
  Initializer initializer = Initializer::GlorotUniform;

  /// Throws: UsageError where `in`, `out`, the groups, or an extent of the kernel, the strides or
  ///         the dilations is below 1, an extent of the result is below 0, or the groups do not
  ///         divide `in` and `out`.
  explicit(false) TransposedConvolution(const Options& options)
      : window{.strides = options.strides,
               .padding = options.padding,
               .dilations = options.dilations,
               .groups = options.groups,
               .extents = options.extents},
        has_bias(options.bias),
        activation(options.activation),
        initializer(options.initializer) {
    const char* name =
        detail::by_axes<axes>("TransposedConv1D", "TransposedConv2D", "TransposedConv3D");
    detail::require_convolution<axes>(name, options);
    for (const std::int64_t extent : options.extents) {
      detail::require_at_least(name, "extents", extent, 0);
    }
    filter = zeros<Scalar>(
        detail::filter_shape(options.kernel, options.out / options.groups, options.in),
        options.device);
    bias = zeros<Scalar>({options.bias ? options.out : 0}, options.device);
    initialize(options.key);
  }

  /// Draws the filter, sets the bias to zero.
  void initialize(RandomKey key) {
    const auto& shape = filter.shape();
    const auto points = detail::points(shape);
    filter = initial_values<Scalar>(initializer, shape,
                                    {.in = points * shape[axes + 1], .out = points * shape[axes]},
                                    key, filter.device());
    bias = zeros<Scalar>(bias.shape(), bias.device());
  }

  /// Shapes:  x [n, x_i..., in] -> [n, y_i..., out]
  /// Throws:  UsageError where the shapes do not fit.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    const auto motion = ddx::detail::motion_of(
        detail::by_axes<axes>("transposed_conv1d", "transposed_conv2d", "transposed_conv3d"),
        window);
    const Shape shape =
        ddx::detail::transposed_shape(x.shape(), filter.shape(), window.extents, motion, where);
    const auto y = ddx::detail::convolution_input_gradient(x, filter, shape, motion, where);
    if (!has_bias) {
      return activate(y, activation);
    }
    return activate(y + bias, activation);
  }

  DDX_DIFFERENTIABLE(TransposedConvolution, filter, bias)
  DDX_NO_DERIVATIVE(window, has_bias, activation, initializer)
};

/// Of signals [n, x, in].
template <FloatingScalar Scalar>
using TransposedConv1D = TransposedConvolution<Scalar, 1>;

/// Of images [n, h, w, in].
template <FloatingScalar Scalar>
using TransposedConv2D = TransposedConvolution<Scalar, 2>;

/// Of volumes [n, d, h, w, in].
template <FloatingScalar Scalar>
using TransposedConv3D = TransposedConvolution<Scalar, 3>;

}  // namespace ddx::nn
