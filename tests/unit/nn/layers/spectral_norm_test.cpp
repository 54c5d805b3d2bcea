#include "ddx/nn/layers/spectral_norm.h"

#include "ddx/ad/operators.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/layers/convolution.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"
#include "tests/support/recorded_layers.h"
#include "tests/support/temporary_folder.h"

#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::nn {
namespace spectral_norm_test {

using ddx::testing::expect_recorded;
using ddx::testing::numbers;

Tensor<double> unit(const Tensor<double>& x) {
  return x / sqrt(sum(square(x)));
}

TEST(SpectralNorm, OfADenseLayerAgreesWithPyTorch) {
  for (const bool in_step : {false, true}) {
    Dense<double> dense{{.in = 4, .out = 3}};
    dense.weight = numbers({4, 3}, 1);
    dense.bias = numbers({3}, 40);
    SpectralNorm layer{dense};
    layer.vectors.right = unit(numbers({3, 1}, 60));
    layer.vectors.left = unit(numbers({1, 4}, 70));
    if (in_step) {
      begin_step(layer, RandomKey(1));
    }
    const std::string name = in_step ? "spectral_norm_step" : "spectral_norm";
    const auto slope = ddx::testing::recorded_gradient(name, layer, numbers({2, 4}, 20));
    expect_recorded(name + ".weight", slope.layer.weight);
    expect_recorded(name + ".left", layer.vectors.left);
    expect_recorded(name + ".right", layer.vectors.right);
  }
}

TEST(SpectralNorm, OfAConvolutionAgreesWithPyTorch) {
  Conv2D<double> convolution{{.in = 2, .out = 3, .kernel = {2, 2}}};
  convolution.filter = numbers({2, 2, 2, 3}, 1);
  convolution.bias = numbers({3}, 40);
  SpectralNorm layer{convolution};
  layer.vectors.right = unit(numbers({3, 1}, 60));
  layer.vectors.left = unit(numbers({1, 8}, 70));
  const auto slope =
      ddx::testing::recorded_gradient("spectral_norm_conv", layer, numbers({1, 3, 3, 2}, 20));
  expect_recorded("spectral_norm_conv.filter", slope.layer.filter);
}

// diag(3, 1): the largest singular value is 3, found by the iterations of the constructor.
TEST(SpectralNorm, DividesByTheLargestSingularValue) {
  Dense<double> dense{{.in = 2, .out = 2}};
  dense.weight = Tensor<double>{{3.0, 0.0}, {0.0, 1.0}};
  const SpectralNorm layer{dense};
  const auto y = layer(Tensor<double>{{1.0, 0.0}, {0.0, 1.0}});
  EXPECT_NEAR((y[{0, 0}]), 1, 1e-9);
  EXPECT_NEAR((y[{1, 1}]), 1.0 / 3, 1e-9);
}

TEST(SpectralNorm, TheVectorsAreStateAndNoParameters) {
  const SpectralNorm layer{Dense<double>{{.in = 2, .out = 2}}};
  std::vector<std::string> parameters;
  std::vector<std::string> state;
  visit_parameters([&](const Path& path, const auto&) { parameters.push_back(to_string(path)); },
                   layer);
  visit_state([&](const Path& path, const auto&) { state.push_back(to_string(path)); }, layer);
  EXPECT_EQ(parameters, (std::vector<std::string>{"layer.weight", "layer.bias"}));
  EXPECT_EQ(state, (std::vector<std::string>{"layer.weight", "layer.bias", "left", "right"}));
}

TEST(SpectralNorm, MistakesAreAnError) {
  using ddx::testing::message_of;
  EXPECT_EQ(message_of<UsageError>(
                [] { SpectralNorm(Dense<float>{{.in = 2, .out = 2}}, {.iterations = 0}); }),
            "SpectralNorm: iterations is 0, at least 1 is required");
}

}  // namespace spectral_norm_test
}  // namespace ddx::nn
