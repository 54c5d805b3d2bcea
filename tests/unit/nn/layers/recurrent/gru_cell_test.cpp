#include "ddx/nn/layers/recurrent/gru_cell.h"

#include "ddx/tensor/arithmetic.h"

#include "tests/support/recorded_layers.h"
#include "tests/support/recurrent_cells.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace gru_cell_test {

using ddx::testing::numbers;

GRUCell<double> recorded_cell(int start) {
  auto cell = ddx::testing::cell_with_recorded_weights<GRUCell<double>>(start);
  cell.input_bias = numbers({9}, start + 300);
  cell.hidden_bias = numbers({9}, start + 350) * 0.5;
  return cell;
}

TEST(GRUCell, AgreesWithPyTorchInOneDirectionAndInBoth) {
  const auto gradient = ddx::testing::recorded_cell_gradient<GRUCell<double>>("gru", recorded_cell);
  ddx::testing::expect_recorded("gru.input_bias", gradient.input_bias);
  ddx::testing::expect_recorded("gru.hidden_bias", gradient.hidden_bias);
}

TEST(GRUCell, IsMadeFromItsOptions) {
  ddx::testing::expect_cell_made_from_options<GRUCell<double>>("GRUCell");
}

}  // namespace gru_cell_test
}  // namespace ddx::nn
