#include "ddx/nn/layers/recurrent/basic_cell.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/layers/recurrent/bidirectional.h"
#include "ddx/nn/layers/recurrent/recurrent.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_layers.h"
#include "tests/support/temporary_folder.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ddx::nn {
namespace {

using ddx::testing::numbers;

/// The cell with the recorded weights.
BasicCell<double> recorded_cell(int start) {
  BasicCell<double> cell{{.in = 4, .hidden = 3}};
  cell.input_weight = transpose(numbers({3, 4}, start + 100));
  cell.hidden_weight = transpose(numbers({3, 3}, start + 200));
  cell.bias = numbers({3}, start + 300) + numbers({3}, start + 350) * 0.5;
  return cell;
}

TEST(BasicCell, AgreesWithPyTorch) {
  const Recurrent<BasicCell<double>> layer(recorded_cell(0));
  const auto gradient = ddx::testing::recorded_gradient("basic_rnn", layer, numbers({2, 5, 4}, 1));
  ddx::testing::expect_recorded("basic_rnn.input_weight", transpose(gradient.cell.input_weight));
  ddx::testing::expect_recorded("basic_rnn.hidden_weight", transpose(gradient.cell.hidden_weight));
  ddx::testing::expect_recorded("basic_rnn.input_bias", gradient.cell.bias);
}

TEST(BasicCell, BothWaysAgreesWithPyTorch) {
  Bidirectional<BasicCell<double>> layer({.in = 4, .hidden = 3});
  layer.forwards.cell = recorded_cell(0);
  layer.backwards.cell = recorded_cell(100);
  const auto gradient =
      ddx::testing::recorded_gradient("bidirectional_basic_rnn", layer, numbers({2, 5, 4}, 1));
  ddx::testing::expect_recorded("bidirectional_basic_rnn.input_weight",
                                transpose(gradient.forwards.cell.input_weight));
}

TEST(BasicCell, MistakesAreAnError) {
  using ddx::testing::message_of;
  EXPECT_EQ(message_of<UsageError>([] { BasicCell<float>{{.hidden = 3}}; }),
            "BasicCell: in is 0, at least 1 is required");
  EXPECT_EQ(message_of<UsageError>([] { BasicCell<float>{{.in = 3}}; }),
            "BasicCell: hidden is 0, at least 1 is required");
}

TEST(BasicCell, DrawsItsWeightsFromTheKey) {
  const BasicCell<double> cell{{.in = 4, .hidden = 100, .key = RandomKey(1)}};
  BasicCell<double> other{{.in = 4, .hidden = 100, .key = RandomKey(2)}};
  EXPECT_FALSE(cell.input_weight == other.input_weight);
  other.initialize(RandomKey(1));
  EXPECT_EQ(cell.input_weight, other.input_weight);
  EXPECT_EQ(cell.hidden_weight, other.hidden_weight);
  for (const double weight : cell.hidden_weight.elements()) {
    EXPECT_LE(std::abs(weight), 0.1);
  }
}

}  // namespace
}  // namespace ddx::nn
