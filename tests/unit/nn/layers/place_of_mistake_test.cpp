// A layer that gets what it cannot take names the line of its own call, not one of its own.

#include "ddx/ad/operators.h"
#include "ddx/core/error.h"
#include "ddx/nn/layers/batch_norm.h"
#include "ddx/nn/layers/convolution.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/flatten.h"
#include "ddx/nn/layers/pooling.h"
#include "ddx/nn/layers/sequential.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <gtest/gtest.h>
#include <string>

namespace ddx::nn {
namespace place_of_mistake_test {

using ddx::testing::thrown;

template <class Layer>
std::string message_with(const Layer& layer, const Tensor<float>& x) {
  return thrown<UsageError>([&] { (void)layer(x); });
}

bool ends_here(const std::string& message) {
  return message.ends_with(" (here)");
}

TEST(PlaceOfMistake, IsTheCallOfTheLayer) {
  const auto x = zeros<float>({2, 5});
  EXPECT_EQ(message_with(Dense<float>({.in = 3, .out = 2}), x),
            thrown<UsageError>([&] { (void)matmul(x, zeros<float>({3, 2})); }));
  EXPECT_PRED1(ends_here, message_with(Dense<float>({.in = 3, .out = 2}), x));
  EXPECT_PRED1(ends_here, message_with(Conv2D<float>({.in = 1, .out = 2, .kernel = {3, 3}}), x));
  EXPECT_PRED1(ends_here, message_with(AvgPool2D<float>({.size = {2, 2}}), x));
  EXPECT_PRED1(ends_here, message_with(MaxPool2D<float>({.size = {2, 2}}), x));
  EXPECT_PRED1(ends_here, message_with(BatchNorm<float>({.features = 3}), x));
}

TEST(PlaceOfMistake, InASequenceIsTheCallOfTheSequence) {
  const Sequential layers{Flatten<float>(), Dense<float>({.in = 4, .out = 3}),
                          Dense<float>({.in = 9, .out = 2})};
  EXPECT_PRED1(ends_here, message_with(layers, zeros<float>({2, 2, 2})));
}

TEST(PlaceOfMistake, IsTheSameWhereTheModelIsDifferentiated) {
  const Sequential layers{Dense<float>({.in = 4, .out = 3}), Dense<float>({.in = 9, .out = 2})};
  const auto x = zeros<float>({2, 4});
  EXPECT_PRED1(ends_here, thrown<UsageError>([&] {
                 (void)ddx::gradient([&](const auto& model) { return sum(model(x)); }, layers);
               }));
}

}  // namespace place_of_mistake_test
}  // namespace ddx::nn
