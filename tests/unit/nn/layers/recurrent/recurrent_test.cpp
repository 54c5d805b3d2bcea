#include "ddx/nn/layers/recurrent/recurrent.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/stacking.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"
#include "tests/support/thrown.h"

#include <gtest/gtest.h>
#include <vector>

namespace ddx::nn {
namespace recurrent_test {

TEST(Recurrent, GoesStepByStepFromZeros) {
  const LSTMCell<double> cell{{.in = 2, .hidden = 3, .key = RandomKey(5)}};
  const LSTM<double> layer(cell);
  const auto x = random_normal<double>(RandomKey(1), {1, 2, 2});
  const auto first =
      cell(Tensor<double>({1, 2}, {x[{0, 0, 0}], x[{0, 0, 1}]}), cell.initial_state(1));
  const auto second = cell(Tensor<double>({1, 2}, {x[{0, 1, 0}], x[{0, 1, 1}]}), first);
  EXPECT_EQ(layer(x), stack(std::vector{first.hidden, second.hidden}, 1));
  EXPECT_EQ(layer.last(x), second.hidden);
}

TEST(Recurrent, GradientAgreesWithDifferences) {
  const auto x = random_normal<double>(RandomKey(1), {2, 3, 4});
  ddx::testing::expect_gradient(LSTM<double>{{.in = 4, .hidden = 3}}, x);
  ddx::testing::expect_gradient(GRU<double>{{.in = 4, .hidden = 3}}, x);
  ddx::testing::expect_gradient(BasicRNN<double>{{.in = 4, .hidden = 3}}, x);
}

TEST(Recurrent, OfNoStepsHasALastOutputOfZeros) {
  const LSTM<double> layer{{.in = 2, .hidden = 3}};
  const Tensor<double> nothing({2, 0, 2}, std::vector<double>());
  EXPECT_EQ(layer.last(nothing), zeros<double>({2, 3}));
  EXPECT_EQ(ddx::testing::thrown<UsageError>([&] { (void)layer(nothing); }),
            "stack: there is no part (here)");
}

}  // namespace recurrent_test
}  // namespace ddx::nn
