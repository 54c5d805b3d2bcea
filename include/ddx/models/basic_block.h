/// \file
/// The block of small residual networks.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/nn/layers/batch_norm.h"
#include "ddx/nn/layers/convolution.h"
#include "ddx/tensor/activation.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>
#include <string>

namespace ddx::models {

/// y = relu(norm(conv(relu(norm(conv(x))))) + shortcut(x)), two 3 by 3 convolutions. The shortcut
/// has no parameters: with a stride it takes every stride-th row and column, and the channels that
/// x lacks are zeros, half of them before and half after those it has.
///
/// Shapes:  x [n, h, w, in] -> [n, ceil(h / stride), ceil(w / stride), out]
/// Source:  K. He, X. Zhang, S. Ren, J. Sun, "Deep residual learning for image recognition", CVPR
///          2016, section 4.2, shortcuts of kind A.
template <FloatingScalar Scalar>
struct BasicBlock {
  struct Options {
    std::int64_t in = 0;
    std::int64_t out = 0;  ///< At least `in`.
    std::int64_t stride = 1;
    double momentum = 0.9;  ///< Of the running averages.
  };

  nn::Conv2D<Scalar> conv1;
  nn::BatchNorm<Scalar> norm1;
  nn::Conv2D<Scalar> conv2;
  nn::BatchNorm<Scalar> norm2;
  std::int64_t stride;
  std::int64_t added;  ///< Channels that the shortcut adds.

  /// Throws: UsageError where `in` or the stride is below 1, or `out` below `in`.
  explicit(false) BasicBlock(const Options& options)
      : conv1{convolution(options.in, options.out, options.stride)},
        norm1{{.features = options.out, .momentum = options.momentum, .epsilon = 1e-5}},
        conv2{convolution(options.out, options.out, 1)},
        norm2{{.features = options.out, .momentum = options.momentum, .epsilon = 1e-5}},
        stride(options.stride),
        added(options.out - options.in) {
    if (added < 0) {
      throw UsageError("BasicBlock", "out is " + std::to_string(options.out) +
                                         ", below in, which is " + std::to_string(options.in));
    }
  }

  /// Shapes:  x [n, h, w, in] -> [n, ceil(h / stride), ceil(w / stride), out]
  /// Throws:  UsageError where the shapes do not fit.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    const auto inner = relu(norm1(conv1(x, where), where));
    return relu(norm2(conv2(inner, where), where) + shortcut(x, where));
  }

  DDX_DIFFERENTIABLE(BasicBlock, conv1, norm1, conv2, norm2)
  DDX_NO_DERIVATIVE(stride, added)

 private:
  [[nodiscard]] Tensor<Scalar> shortcut(const Tensor<Scalar>& x, std::source_location where) const {
    if (stride == 1 && added == 0) {
      return x;
    }
    const auto thinned = slice(x, {.step = {1, stride, stride, 1}}, where);
    return pad(thinned, {0, 0, 0, added / 2}, {0, 0, 0, added - added / 2}, Scalar{0}, where);
  }

  static typename nn::Conv2D<Scalar>::Options convolution(std::int64_t in, std::int64_t out,
                                                          std::int64_t stride) {
    return {.in = in,
            .out = out,
            .kernel = {3, 3},
            .strides = {stride, stride},
            .padding = Padding::Same,
            .bias = false,
            .initializer = nn::Initializer::HeNormal};
  }
};

}  // namespace ddx::models
