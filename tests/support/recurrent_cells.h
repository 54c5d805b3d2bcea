/// \file
/// What the tests of recurrent cells share.

#pragma once

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/layers/recurrent/bidirectional.h"
#include "ddx/nn/layers/recurrent/recurrent.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_layers.h"
#include "tests/support/temporary_folder.h"

#include <cmath>
#include <gtest/gtest.h>
#include <string>

namespace ddx::testing {

/// A cell with the recorded weights, its biases left as they are.
template <class Cell>
Cell cell_with_recorded_weights(int start) {
  Cell cell{{.in = 4, .hidden = 3}};
  const auto columns = cell.input_weight.shape()[1];
  cell.input_weight = transpose(numbers({columns, 4}, start + 100));
  cell.hidden_weight = transpose(numbers({columns, 3}, start + 200));
  return cell;
}

/// Expects PyTorch's outputs and gradients of weights, in one direction and in both; gives the
/// gradient of the one cell. `cell_from(start)` makes a cell with the recorded numbers.
template <class Cell, class CellFrom>
auto recorded_cell_gradient(const std::string& name, CellFrom cell_from) {
  const auto x = numbers({2, 5, 4}, 1);
  nn::Bidirectional<Cell> both({.in = 4, .hidden = 3});
  both.forwards.cell = cell_from(0);
  both.backwards.cell = cell_from(100);
  const auto of_both = recorded_gradient("bidirectional_" + name, both, x);
  expect_recorded("bidirectional_" + name + ".input_weight",
                  transpose(of_both.forwards.cell.input_weight));

  const auto gradient = recorded_gradient(name, nn::Recurrent<Cell>(cell_from(0)), x).cell;
  expect_recorded(name + ".input_weight", transpose(gradient.input_weight));
  expect_recorded(name + ".hidden_weight", transpose(gradient.hidden_weight));
  return gradient;
}

/// Expects that a cell demands both sizes and draws its weights from its key.
template <class Cell>
void expect_cell_made_from_options(const std::string& name) {
  EXPECT_EQ(message_of<UsageError>([] { Cell{{.hidden = 3}}; }),
            name + ": in is 0, at least 1 is required");
  EXPECT_EQ(message_of<UsageError>([] { Cell{{.in = 3}}; }),
            name + ": hidden is 0, at least 1 is required");
  const Cell cell{{.in = 4, .hidden = 100, .key = RandomKey(1)}};
  Cell other{{.in = 4, .hidden = 100, .key = RandomKey(2)}};
  EXPECT_FALSE(cell.input_weight == other.input_weight);
  other.initialize(RandomKey(1));
  EXPECT_EQ(cell.input_weight, other.input_weight);
  EXPECT_EQ(cell.hidden_weight, other.hidden_weight);
  for (const double weight : cell.hidden_weight.elements()) {
    EXPECT_LE(std::abs(weight), 0.1);
  }
}

}  // namespace ddx::testing
