/// \file
/// One step of a basic recurrent network.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/detail/gates.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/layers/recurrent/hidden_state.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx::nn {

/// One step of a basic recurrent network: h' = tanh(x input_weight + h hidden_weight + bias).
///
/// Shapes:  x [n, in], state [n, hidden] -> state
/// Source:  J. L. Elman, "Finding structure in time", 1990.
template <FloatingScalar Scalar>
struct BasicCell {
  using State = HiddenState<Scalar>;
  using Options = detail::CellOptions;

  Tensor<Scalar> input_weight;   ///< [in, hidden]
  Tensor<Scalar> hidden_weight;  ///< [hidden, hidden]
  Tensor<Scalar> bias;           ///< [hidden]

  /// Throws: UsageError where `in` or `hidden` is below 1.
  explicit(false) BasicCell(const Options& options) {
    detail::require_positive("BasicCell", "in", options.in);
    detail::require_positive("BasicCell", "hidden", options.hidden);
    input_weight = zeros<Scalar>({options.in, options.hidden}, options.device);
    hidden_weight = zeros<Scalar>({options.hidden, options.hidden}, options.device);
    bias = zeros<Scalar>({options.hidden}, options.device);
    initialize(options.key);
  }

  /// Draws the weights, sets the bias to zero.
  void initialize(RandomKey key) {
    detail::draw_weights(key, input_weight, hidden_weight);
    bias = zeros<Scalar>(bias.shape(), bias.device());
  }

  [[nodiscard]] std::int64_t hidden() const { return hidden_weight.shape()[0]; }

  /// Zeros for `samples` sequences.
  [[nodiscard]] State initial_state(std::int64_t samples) const {
    return {zeros<Scalar>({samples, hidden()}, bias.device())};
  }

  /// Shapes:  x [n, in], state [n, hidden] -> state
  /// Throws:  UsageError where the shapes do not fit.
  [[nodiscard]] State operator()(
      const Tensor<Scalar>& x, const State& state,
      std::source_location where = std::source_location::current()) const {
    return {tanh(matmul(x, input_weight, {}, where) +
                 matmul(state.hidden, hidden_weight, {}, where) + bias)};
  }

  DDX_DIFFERENTIABLE(BasicCell, input_weight, hidden_weight, bias)
};

}  // namespace ddx::nn
