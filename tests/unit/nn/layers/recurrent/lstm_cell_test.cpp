#include "ddx/nn/layers/recurrent/lstm_cell.h"

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
LSTMCell<double> recorded_cell(int start) {
  LSTMCell<double> cell{{.in = 4, .hidden = 3}};
  cell.input_weight = transpose(numbers({12, 4}, start + 100));
  cell.hidden_weight = transpose(numbers({12, 3}, start + 200));
  cell.bias = numbers({12}, start + 300) + numbers({12}, start + 350) * 0.5;
  return cell;
}

TEST(LSTMCell, AgreesWithPyTorch) {
  const Recurrent<LSTMCell<double>> layer(recorded_cell(0));
  const auto gradient = ddx::testing::recorded_gradient("lstm", layer, numbers({2, 5, 4}, 1));
  ddx::testing::expect_recorded("lstm.input_weight", transpose(gradient.cell.input_weight));
  ddx::testing::expect_recorded("lstm.hidden_weight", transpose(gradient.cell.hidden_weight));
  ddx::testing::expect_recorded("lstm.input_bias", gradient.cell.bias);
}

TEST(LSTMCell, BothWaysAgreesWithPyTorch) {
  Bidirectional<LSTMCell<double>> layer({.in = 4, .hidden = 3});
  layer.forwards.cell = recorded_cell(0);
  layer.backwards.cell = recorded_cell(100);
  const auto gradient =
      ddx::testing::recorded_gradient("bidirectional_lstm", layer, numbers({2, 5, 4}, 1));
  ddx::testing::expect_recorded("bidirectional_lstm.input_weight",
                                transpose(gradient.forwards.cell.input_weight));
}

TEST(LSTMCell, MistakesAreAnError) {
  using ddx::testing::message_of;
  EXPECT_EQ(message_of<UsageError>([] { LSTMCell<float>{{.hidden = 3}}; }),
            "LSTMCell: in is 0, at least 1 is required");
  EXPECT_EQ(message_of<UsageError>([] { LSTMCell<float>{{.in = 3}}; }),
            "LSTMCell: hidden is 0, at least 1 is required");
}

TEST(LSTMCell, DrawsItsWeightsFromTheKey) {
  const LSTMCell<double> cell{{.in = 4, .hidden = 100, .key = RandomKey(1)}};
  LSTMCell<double> other{{.in = 4, .hidden = 100, .key = RandomKey(2)}};
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
