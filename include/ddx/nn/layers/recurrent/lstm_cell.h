/// \file
/// One step of a long short-term memory.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/detail/gates.h"
#include "ddx/nn/detail/options.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/splitting.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx::nn {

/// What a long short-term memory carries from step to step.
template <FloatingScalar Scalar>
struct LSTMState {
  Tensor<Scalar> hidden;  ///< The output. [n, hidden]
  Tensor<Scalar> cell;    ///< The memory. [n, hidden]

  DDX_DIFFERENTIABLE(LSTMState, hidden, cell)
};

/// One step of a long short-term memory, with the sums i, f, g, o = x input_weight + h
/// hidden_weight + bias, each a quarter of the columns in this order:
///
///   c' = sigmoid(f) c + sigmoid(i) tanh(g),  h' = sigmoid(o) tanh(c').
///
/// Shapes:  x [n, in], state [n, hidden] each -> state
/// Source:  S. Hochreiter, J. Schmidhuber, "Long short-term memory", 1997; order of the gates as in
///          PyTorch, whose two biases are one here.
template <FloatingScalar Scalar>
struct LSTMCell {
  using State = LSTMState<Scalar>;
  using Options = detail::CellOptions;

  Tensor<Scalar> input_weight;   ///< [in, 4 hidden]
  Tensor<Scalar> hidden_weight;  ///< [hidden, 4 hidden]
  Tensor<Scalar> bias;           ///< [4 hidden]

  /// Throws: UsageError where `in` or `hidden` is below 1.
  explicit(false) LSTMCell(const Options& options) {
    detail::require_positive("LSTMCell", "in", options.in);
    detail::require_positive("LSTMCell", "hidden", options.hidden);
    input_weight = zeros<Scalar>({options.in, 4 * options.hidden}, options.device);
    hidden_weight = zeros<Scalar>({options.hidden, 4 * options.hidden}, options.device);
    bias = zeros<Scalar>({4 * options.hidden}, options.device);
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
    const auto nothing = zeros<Scalar>({samples, hidden()}, bias.device());
    return {nothing, nothing};
  }

  /// Shapes:  x [n, in], state [n, hidden] each -> state
  /// Throws:  UsageError where the shapes do not fit.
  [[nodiscard]] State operator()(
      const Tensor<Scalar>& x, const State& state,
      std::source_location where = std::source_location::current()) const {
    const auto sums =
        matmul(x, input_weight, {}, where) + matmul(state.hidden, hidden_weight, {}, where) + bias;
    const auto gates = split_equally(sums, 4, 1, where);
    const auto cell = sigmoid(gates[1]) * state.cell + sigmoid(gates[0]) * tanh(gates[2]);
    return {sigmoid(gates[3]) * tanh(cell), cell};
  }

  DDX_DIFFERENTIABLE(LSTMCell, input_weight, hidden_weight, bias)
};

}  // namespace ddx::nn
