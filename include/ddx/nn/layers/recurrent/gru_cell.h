/// \file
/// One step of a gated recurrent unit.

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
#include "ddx/tensor/splitting.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx::nn {

/// One step of a gated recurrent unit, with the sums a = x input_weight + input_bias and
/// b = h hidden_weight + hidden_bias, each a third of the columns for r, z, n:
///
///   r = sigmoid(a_r + b_r),  z = sigmoid(a_z + b_z),  h' = (1 - z) tanh(a_n + r b_n) + z h.
///
/// Shapes:  x [n, in], state [n, hidden] -> state
/// Source:  K. Cho et al., "Learning phrase representations using RNN encoder-decoder", 2014; in
///          the form of PyTorch, where r multiplies after the product.
template <FloatingScalar Scalar>
struct GRUCell {
  using State = HiddenState<Scalar>;
  using Options = detail::CellOptions;

  Tensor<Scalar> input_weight;   ///< [in, 3 hidden]
  Tensor<Scalar> hidden_weight;  ///< [hidden, 3 hidden]
  Tensor<Scalar> input_bias;     ///< [3 hidden]
  Tensor<Scalar> hidden_bias;    ///< [3 hidden]

  /// Throws: UsageError where `in` or `hidden` is below 1.
  explicit(false) GRUCell(const Options& options) {
    detail::require_positive("GRUCell", "in", options.in);
    detail::require_positive("GRUCell", "hidden", options.hidden);
    input_weight = zeros<Scalar>({options.in, 3 * options.hidden}, options.device);
    hidden_weight = zeros<Scalar>({options.hidden, 3 * options.hidden}, options.device);
    input_bias = zeros<Scalar>({3 * options.hidden}, options.device);
    hidden_bias = input_bias;
    initialize(options.key);
  }

  /// Draws the weights, sets the biases to zero.
  void initialize(RandomKey key) {
    detail::draw_weights(key, input_weight, hidden_weight);
    input_bias = zeros<Scalar>(input_bias.shape(), input_bias.device());
    hidden_bias = input_bias;
  }

  [[nodiscard]] std::int64_t hidden() const { return hidden_weight.shape()[0]; }

  /// Zeros for `samples` sequences.
  [[nodiscard]] State initial_state(std::int64_t samples) const {
    return {zeros<Scalar>({samples, hidden()}, input_bias.device())};
  }

  /// Shapes:  x [n, in], state [n, hidden] -> state
  /// Throws:  UsageError where the shapes do not fit.
  [[nodiscard]] State operator()(
      const Tensor<Scalar>& x, const State& state,
      std::source_location where = std::source_location::current()) const {
    const auto a = split_equally(matmul(x, input_weight, {}, where) + input_bias, 3, 1, where);
    const auto b =
        split_equally(matmul(state.hidden, hidden_weight, {}, where) + hidden_bias, 3, 1, where);
    const auto reset = sigmoid(a[0] + b[0]);
    const auto kept = sigmoid(a[1] + b[1]);
    const auto fresh = tanh(a[2] + reset * b[2]);
    return {fresh + kept * (state.hidden - fresh)};
  }

  DDX_DIFFERENTIABLE(GRUCell, input_weight, hidden_weight, input_bias, hidden_bias)
};

}  // namespace ddx::nn
