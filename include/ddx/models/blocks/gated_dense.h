/// \file
/// The dense layers of decoders.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/activation.h"
#include "ddx/nn/initializers/initializer.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx::models {

/// down(activation(gate(x)) up(x)) without biases: SwiGLU with SiLU, GEGLU with GELU.
///
/// Shapes:  x [..., time, features] -> [..., time, features]
/// Source:  N. Shazeer, "GLU variants improve transformer", arXiv 2002.05202.
template <FloatingScalar Scalar>
struct GatedDense {
  struct Options {
    std::int64_t features = 0;
    std::int64_t hidden = 0;
    nn::Activation activation = nn::Activation::SiLU;
    nn::Initializer initializer = nn::Initializer::normal(0, 0.02);
    RandomKey key{0};  ///< Of the initial weights; `initialize` draws new ones.
    Device device = {};
  };

  nn::Dense<Scalar> gate;
  nn::Dense<Scalar> up;
  nn::Dense<Scalar> down;

  /// Throws: UsageError where an extent is below 1.
  explicit(false) GatedDense(const Options& options)
      : gate(layer(options, options.features, options.hidden, 0)),
        up(layer(options, options.features, options.hidden, 1)),
        down(layer(options, options.hidden, options.features, 2)) {}

  /// No layers, where a block has others in their place: without weights, and not to be called.
  [[nodiscard]] static GatedDense none(Device device) {
    GatedDense result({.features = 1, .hidden = 1, .device = device});
    for (nn::Dense<Scalar>* const each : {&result.gate, &result.up, &result.down}) {
      each->weight = zeros<Scalar>({0, 0}, device);
    }
    return result;
  }

  /// Shapes:  x [..., time, features] -> [..., time, features]
  /// Throws:  UsageError where the shape does not fit.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    return down(gate(x, where) * up(x, where), where);
  }

  DDX_DIFFERENTIABLE(GatedDense, gate, up, down)

 private:
  static typename nn::Dense<Scalar>::Options layer(const Options& options, std::int64_t in,
                                                   std::int64_t out, std::uint64_t number) {
    return {.in = in,
            .out = out,
            .bias = false,
            .activation = number == 0 ? options.activation : nn::Activation::Identity,
            .initializer = options.initializer,
            .key = options.key.fold_in(number),
            .device = options.device};
  }
};

}  // namespace ddx::models
