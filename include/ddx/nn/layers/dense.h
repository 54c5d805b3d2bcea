/// \file
/// The fully connected layer.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/activation.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/initializers/initializer.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx::nn {

/// y = activation(x weight + bias).
///
/// Shapes:  x [..., n, in], weight [in, out], bias [out] -> [..., n, out]
template <FloatingScalar Scalar>
struct Dense {
  struct Options {
    std::int64_t in = 0;
    std::int64_t out = 0;
    bool bias = true;
    Activation activation = Activation::Identity;
    Initializer initializer = Initializer::GlorotUniform;
    RandomKey key{0};  ///< Of the initial weight; `initialize` draws a new one.
    Device device = {};
  };

  Tensor<Scalar> weight;
  Tensor<Scalar> bias;  ///< Without elements in a layer without bias.
  bool has_bias = true;
  Activation activation = Activation::Identity;
  Initializer initializer = Initializer::GlorotUniform;

  /// Throws: UsageError where `in` or `out` is below 1.
  explicit(false) Dense(const Options& options)
      : has_bias(options.bias), activation(options.activation), initializer(options.initializer) {
    detail::require_positive("Dense", "in", options.in);
    detail::require_positive("Dense", "out", options.out);
    weight = zeros<Scalar>({options.in, options.out}, options.device);
    bias = zeros<Scalar>({options.bias ? options.out : 0}, options.device);
    initialize(options.key);
  }

  /// Draws the weight, sets the bias to zero.
  void initialize(RandomKey key) {
    weight = initial_values<Scalar>(initializer, weight.shape(),
                                    {.in = weight.shape()[0], .out = weight.shape()[1]}, key,
                                    weight.device());
    bias = zeros<Scalar>(bias.shape(), bias.device());
  }

  /// Shapes:  x [..., n, in] -> [..., n, out]
  /// Throws:  UsageError where the shapes do not fit.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    if (!has_bias) {
      return activate(matmul(x, weight, {}, where), activation);
    }
    return activate(matmul(x, weight, {}, where) + bias, activation);
  }

  DDX_DIFFERENTIABLE(Dense, weight, bias)
  DDX_NO_DERIVATIVE(has_bias, activation, initializer)
};

}  // namespace ddx::nn
