/// \file
/// Layers of grey-value morphology.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/detail/by_axes.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/initializers/initializer.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/morphology.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx::nn {

/// A filter of heights that moves over each channel of an image: dilation2d, or erosion2d.
///
/// Shapes:  x [n, h, w, channels], filter [kh, kw, channels] -> [n, h', w', channels]
template <FloatingScalar Scalar, bool dilates>
struct Morphology2D {
  struct Options {
    std::int64_t channels = 0;
    Extent2D kernel = {3, 3};
    Extent2D strides = {1, 1};
    Padding padding = Padding::Valid;
    Extent2D dilations = {1, 1};
    Initializer initializer = Initializer::GlorotUniform;
    RandomKey key{0};  ///< Of the initial filter; `initialize` draws a new one.
    Device device = {};
  };

  Tensor<Scalar> filter;
  MorphologyOptions window;
  Initializer initializer = Initializer::GlorotUniform;

  /// Throws: UsageError where the channels, or an extent of the kernel, the strides or the
  ///         dilations is below 1.
  explicit(false) Morphology2D(const Options& options)
      : window{.strides = options.strides,
               .padding = options.padding,
               .dilations = options.dilations},
        initializer(options.initializer) {
    const char* name = dilates ? "Dilation2D" : "Erosion2D";
    detail::require_positive(name, "channels", options.channels);
    detail::require_all_positive(name, "kernel", options.kernel);
    detail::require_all_positive(name, "strides", options.strides);
    detail::require_all_positive(name, "dilations", options.dilations);
    filter =
        zeros<Scalar>({options.kernel[0], options.kernel[1], options.channels}, options.device);
    initialize(options.key);
  }

  /// Draws the filter.
  void initialize(RandomKey key) {
    const auto points = filter.shape()[0] * filter.shape()[1];
    filter = initial_values<Scalar>(initializer, filter.shape(), {.in = points, .out = points}, key,
                                    filter.device());
  }

  /// Shapes:  x [n, h, w, channels] -> [n, h', w', channels]
  /// Throws:  UsageError where the shapes do not fit.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    if constexpr (dilates) {
      return dilation2d(x, filter, window, where);
    } else {
      return erosion2d(x, filter, window, where);
    }
  }

  DDX_DIFFERENTIABLE(Morphology2D, filter)
  DDX_NO_DERIVATIVE(window, initializer)
};

/// y = dilation2d(x, filter).
template <FloatingScalar Scalar>
using Dilation2D = Morphology2D<Scalar, true>;

/// y = erosion2d(x, filter).
template <FloatingScalar Scalar>
using Erosion2D = Morphology2D<Scalar, false>;

}  // namespace ddx::nn
