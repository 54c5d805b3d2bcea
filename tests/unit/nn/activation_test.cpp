#include "ddx/nn/activation.h"

#include "ddx/ad/operators.h"
#include "ddx/tensor/activation.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ddx::nn {
namespace activation_test {

struct Case {
  Activation activation;
  double value;  // At x = -0.5 and x = 2.
  double value_at_two;
  double slope;
  double slope_at_two;
};

TEST(Activation, EachHasItsValueAndSlope) {
  const double low = 1 / (1 + std::exp(0.5));
  const double high = 1 / (1 + std::exp(-2.0));
  const double tanh_low = std::tanh(-0.5);
  const double tanh_high = std::tanh(2.0);
  const Case cases[] = {
      {Activation::Identity, -0.5, 2, 1, 1},
      {Activation::ReLU, 0, 2, 0, 1},
      {Activation::Sigmoid, low, high, low * (1 - low), high * (1 - high)},
      {Activation::Tanh, tanh_low, tanh_high, 1 - tanh_low * tanh_low, 1 - tanh_high * tanh_high},
  };
  const Tensor<double> x{-0.5, 2.0};
  for (const auto& c : cases) {
    const auto y = activate(x, c.activation);
    EXPECT_DOUBLE_EQ(y.elements()[0], c.value);
    EXPECT_DOUBLE_EQ(y.elements()[1], c.value_at_two);
    const auto slope =
        gradient([&](const Tensor<double>& at) { return sum(activate(at, c.activation)); }, x);
    EXPECT_NEAR(slope.elements()[0], c.slope, 1e-15);
    EXPECT_NEAR(slope.elements()[1], c.slope_at_two, 1e-15);
  }
}

// The functions themselves are compared with PyTorch elsewhere.
TEST(Activation, TheOthersAreTheFunctionsOfTheirNames) {
  const Tensor<double> x{-4.0, -0.5, 0.25, 2.0, 7.0};
  EXPECT_EQ(activate(x, Activation::GELU), gelu(x));
  EXPECT_EQ(activate(x, Activation::GELUTanh), gelu_tanh(x));
  EXPECT_EQ(activate(x, Activation::SiLU), silu(x));
  EXPECT_EQ(activate(x, Activation::ReLU6), relu6(x));
  EXPECT_EQ(activate(x, Activation::LeakyReLU), leaky_relu(x));
  EXPECT_EQ(activate(x, Activation::ELU), elu(x));
  EXPECT_EQ(activate(x, Activation::SELU), selu(x));
  EXPECT_EQ(activate(x, Activation::Softplus), softplus(x));
  EXPECT_EQ(activate(x, Activation::Softsign), softsign(x));
  EXPECT_EQ(activate(x, Activation::LogSigmoid), log_sigmoid(x));
  EXPECT_EQ(activate(x, Activation::HardSigmoid), hard_sigmoid(x));
  EXPECT_EQ(activate(x, Activation::HardSwish), hard_swish(x));
  EXPECT_EQ(activate(x, Activation::Mish), mish(x));
}

}  // namespace activation_test
}  // namespace ddx::nn
