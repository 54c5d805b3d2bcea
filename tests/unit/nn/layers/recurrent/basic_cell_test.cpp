#include "ddx/nn/layers/recurrent/basic_cell.h"

#include "ddx/tensor/arithmetic.h"

#include "tests/support/recorded_layers.h"
#include "tests/support/recurrent_cells.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace basic_cell_test {

using ddx::testing::numbers;

BasicCell<double> recorded_cell(int start) {
  auto cell = ddx::testing::cell_with_recorded_weights<BasicCell<double>>(start);
  cell.bias = numbers({3}, start + 300) + numbers({3}, start + 350) * 0.5;
  return cell;
}

TEST(BasicCell, AgreesWithPyTorchInOneDirectionAndInBoth) {
  const auto gradient =
      ddx::testing::recorded_cell_gradient<BasicCell<double>>("basic_rnn", recorded_cell);
  ddx::testing::expect_recorded("basic_rnn.input_bias", gradient.bias);
}

TEST(BasicCell, IsMadeFromItsOptions) {
  ddx::testing::expect_cell_made_from_options<BasicCell<double>>("BasicCell");
}

}  // namespace basic_cell_test
}  // namespace ddx::nn
