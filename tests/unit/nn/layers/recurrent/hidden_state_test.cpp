#include "ddx/nn/layers/recurrent/hidden_state.h"

#include "ddx/ad/tangent.h"
#include "ddx/tensor/tensor.h"

#include <gtest/gtest.h>
#include <type_traits>

namespace ddx::nn {
namespace hidden_state_test {

TEST(HiddenState, HasATangentOfItsForm) {
  using Tangent = TangentOf<HiddenState<double>>;
  EXPECT_TRUE((std::is_same_v<decltype(Tangent::hidden), Tensor<double>>));
}

}  // namespace hidden_state_test
}  // namespace ddx::nn
