#include "ddx/nn/layers/recurrent/lstm_cell.h"

#include "ddx/tensor/arithmetic.h"

#include "tests/support/recorded_layers.h"
#include "tests/support/recurrent_cells.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace lstm_cell_test {

using ddx::testing::numbers;

LSTMCell<double> recorded_cell(int start) {
  auto cell = ddx::testing::cell_with_recorded_weights<LSTMCell<double>>(start);
  cell.bias = numbers({12}, start + 300) + numbers({12}, start + 350) * 0.5;
  return cell;
}

TEST(LSTMCell, AgreesWithPyTorchInOneDirectionAndInBoth) {
  const auto gradient =
      ddx::testing::recorded_cell_gradient<LSTMCell<double>>("lstm", recorded_cell);
  ddx::testing::expect_recorded("lstm.input_bias", gradient.bias);
}

TEST(LSTMCell, IsMadeFromItsOptions) {
  ddx::testing::expect_cell_made_from_options<LSTMCell<double>>("LSTMCell");
}

}  // namespace lstm_cell_test
}  // namespace ddx::nn
