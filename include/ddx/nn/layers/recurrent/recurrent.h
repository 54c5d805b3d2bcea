/// \file
/// Recurrent cells over sequences.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/layers/recurrent/basic_cell.h"
#include "ddx/nn/layers/recurrent/gru_cell.h"
#include "ddx/nn/layers/recurrent/lstm_cell.h"
#include "ddx/tensor/stacking.h"
#include "ddx/tensor/tensor.h"

#include <source_location>
#include <utility>
#include <vector>

namespace ddx::nn {

/// A cell, step by step over sequences of equal length, from a state of zeros.
///
/// Shapes:  x [n, t, in] -> [n, t, hidden]
template <class Cell>
struct Recurrent {
  using Vectors = decltype(std::declval<typename Cell::State>().hidden);

  Cell cell;

  explicit(false) Recurrent(Cell cell_of_step) : cell(std::move(cell_of_step)) {}
  explicit(false) Recurrent(const typename Cell::Options& options) : cell(options) {}

  void initialize(RandomKey key) { cell.initialize(key); }

  /// The outputs of all steps.
  ///
  /// Shapes:  x [n, t, in] -> [n, t, hidden]
  /// Throws:  UsageError where the shapes do not fit, or there is no step.
  [[nodiscard]] Vectors operator()(
      const Vectors& x, std::source_location where = std::source_location::current()) const {
    std::vector<Vectors> outputs;
    auto state = cell.initial_state(x.shape()[0]);
    for (const Vectors& step : unstack(x, 1, where)) {
      state = cell(step, state, where);
      outputs.push_back(state.hidden);
    }
    return stack(outputs, 1, where);
  }

  /// The output of the last step; zeros where there is none.
  ///
  /// Shapes:  x [n, t, in] -> [n, hidden]
  /// Throws:  UsageError where the shapes do not fit.
  [[nodiscard]] Vectors last(const Vectors& x,
                             std::source_location where = std::source_location::current()) const {
    auto state = cell.initial_state(x.shape()[0]);
    for (const Vectors& step : unstack(x, 1, where)) {
      state = cell(step, state, where);
    }
    return state.hidden;
  }

  DDX_DIFFERENTIABLE(Recurrent, cell)
};

/// A long short-term memory over sequences.
template <FloatingScalar Scalar>
using LSTM = Recurrent<LSTMCell<Scalar>>;

/// A gated recurrent unit over sequences.
template <FloatingScalar Scalar>
using GRU = Recurrent<GRUCell<Scalar>>;

/// A basic recurrent network over sequences.
template <FloatingScalar Scalar>
using BasicRNN = Recurrent<BasicCell<Scalar>>;

}  // namespace ddx::nn
