/// \file
/// The convolution layer for images.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/activation.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/initializers/initializer.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/convolution.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <source_location>

namespace ddx::nn {

/// y = activation(conv2d(x, filter) + bias).
///
/// Shapes:  x [n, h, w, in], filter [kh, kw, in, out], bias [out] -> [n, h', w', out]
template <FloatingScalar Scalar>
struct Conv2D {
  struct Options {
    std::int64_t in = 0;
    std::int64_t out = 0;
    Extent2D kernel = {3, 3};
    Extent2D strides = {1, 1};
    Padding padding = Padding::Valid;
    bool bias = true;
    Activation activation = Activation::Identity;
    Initializer initializer = Initializer::GlorotUniform;
    RandomKey key{0};  ///< Of the initial filter; `initialize` draws it anew.
    Device device = {};
  };

  Tensor<Scalar> filter;
  Tensor<Scalar> bias;  ///< Without elements in a layer without bias.
  Conv2DOptions window;
  bool has_bias = true;
  Activation activation = Activation::Identity;
  Initializer initializer = Initializer::GlorotUniform;

  /// Throws: UsageError where `in`, `out`, or an extent of the kernel or the strides is below 1.
  explicit(false) Conv2D(const Options& options)
      : window{.strides = options.strides, .padding = options.padding},
        has_bias(options.bias),
        activation(options.activation),
        initializer(options.initializer) {
    detail::require_positive("Conv2D", "in", options.in);
    detail::require_positive("Conv2D", "out", options.out);
    for (const std::size_t axis : {0U, 1U}) {
      detail::require_positive("Conv2D", "kernel", options.kernel[axis]);
      detail::require_positive("Conv2D", "strides", options.strides[axis]);
    }
    filter = zeros<Scalar>({options.kernel[0], options.kernel[1], options.in, options.out},
                           options.device);
    bias = zeros<Scalar>({options.bias ? options.out : 0}, options.device);
    initialize(options.key);
  }

  /// Draws the filter, sets the bias to zero.
  void initialize(RandomKey key) {
    const auto& shape = filter.shape();
    const auto points = shape[0] * shape[1];
    filter = initial_values<Scalar>(initializer, shape,
                                    {.in = points * shape[2], .out = points * shape[3]}, key,
                                    filter.device());
    bias = zeros<Scalar>(bias.shape(), bias.device());
  }

  /// Shapes:  x [n, h, w, in] -> [n, h', w', out]
  /// Throws:  UsageError where the shapes do not fit.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    if (!has_bias) {
      return activate(conv2d(x, filter, window, where), activation);
    }
    return activate(conv2d(x, filter, window, where) + bias, activation);
  }

  DDX_DIFFERENTIABLE(Conv2D, filter, bias)
  DDX_NO_DERIVATIVE(window, has_bias, activation, initializer)
};

}  // namespace ddx::nn
