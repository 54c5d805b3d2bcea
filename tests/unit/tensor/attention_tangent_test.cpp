// Attention with its tangent: what the operation table's tests do not see.

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/attention.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cmath>
#include <gtest/gtest.h>
#include <source_location>

namespace ddx {
namespace attention_tangent_test {

const std::source_location here = std::source_location::current();

// The softmax is the same where all scores of a query grow alike: the tangent is 0. Were the terms
// that all keys share subtracted at the end, rounding would leave some 1e-3 of 1e4; 200 keys in two
// blocks.
TEST(AttentionTangent, OfWhatAllKeysShareIsZero) {
  for (const Device device : {Device(), Device::naive()}) {
    const auto q = ones<float>({3, 1}, device);
    const auto k = random_normal<float>(RandomKey(1), {200, 1}, {}, device);
    const auto v = random_normal<float>(RandomKey(2), {200, 5}, {}, device);
    const auto both =
        detail::attention_with_tangent(q, k, v, {.scale = 1}, here, zeros<float>({3, 1}, device),
                                       full<float>({200, 1}, 1e4F, device), v * 0.0F);
    EXPECT_LT(max(abs(both.tangent)).item(), 2e-6F);
    EXPECT_LT(max(abs(both.y - attention(q, k, v, {.scale = 1}))).item(), 1e-6F);
  }
}

// One query, weights 1/4 and 3/4 by scores 0 and log 3: along the tangent (1, 0) of the scores the
// weights move by 3/16 and -3/16, so y = w v moves by 3/16 (4 - 8) + (1/4) 1 + (3/4) 2.
TEST(AttentionTangent, IsThatOfTheWeightsAndOfTheValues) {
  const double log3 = std::log(3.0);
  for (const Device device : {Device(), Device::naive()}) {
    const Tensor<double> q(Shape{1, 1}, {1}, device);
    const Tensor<double> k(Shape{2, 1}, {0, log3}, device);
    const Tensor<double> v(Shape{2, 1}, {4, 8}, device);
    const auto both = detail::attention_with_tangent(
        q, k, v, {.scale = 1}, here, Tensor<double>(Shape{1, 1}, {0}, device),
        Tensor<double>(Shape{2, 1}, {1, 0}, device), Tensor<double>(Shape{2, 1}, {1, 2}, device));
    EXPECT_NEAR(both.y.item(), 7, 1e-14);
    EXPECT_NEAR(both.tangent.item(), -0.75 + 0.25 + 1.5, 1e-14);
  }
}

// Three queries and two keys: the first stands before both.
TEST(AttentionTangent, OfAQueryThatSeesNoKeyIsZeroAndHasNoGradient) {
  for (const Device device : {Device(), Device::naive()}) {
    const auto q = random_normal<float>(RandomKey(1), {3, 2}, {}, device);
    const auto k = random_normal<float>(RandomKey(2), {2, 2}, {}, device);
    const auto ones_like = ones<float>({3, 2}, device);
    const auto [both, pullback] =
        detail::attention_with_tangent_vjp(q, k, k, {.causal = true}, here, q, k, k);
    EXPECT_EQ((both.y[{0, 0}]), 0);
    EXPECT_EQ((both.tangent[{0, 0}]), 0);
    EXPECT_NE((both.tangent[{1, 0}]), 0);
    detail::AttentionWithTangent<float>::TangentVector cotangents;
    cotangents.y = ones_like;
    cotangents.tangent = ones_like;
    const auto to = pullback(cotangents);
    EXPECT_EQ((std::get<0>(to)[{0, 0}]), 0);
    EXPECT_EQ((std::get<3>(to)[{0, 1}]), 0);
    EXPECT_NE((std::get<0>(to)[{2, 0}]), 0);
    EXPECT_TRUE(std::isfinite(sum(std::get<1>(to)).item()));
  }
}

TEST(AttentionTangent, WithoutKeysIsZeros) {
  for (const Device device : {Device(), Device::naive()}) {
    const auto q = ones<float>({2, 3, 4}, device);
    const auto none = zeros<float>({2, 0, 4}, device);
    const auto both = detail::attention_with_tangent(q, none, none, {}, here, q, none, none);
    EXPECT_EQ(both.y, zeros<float>({2, 3, 4}, device));
    EXPECT_EQ(both.tangent, zeros<float>({2, 3, 4}, device));
  }
}

TEST(AttentionTangent, NamesATangentThatDoesNotFit) {
  const auto q = ones<float>({3, 2});
  const auto wrong = ones<float>({3, 1});
  const auto error = testing::thrown<UsageError>(
      [&] { (void)detail::attention_with_tangent(q, q, q, {}, here, q, wrong, q); });
  EXPECT_NE(error.find("attention: an operand [3, 2] has a tangent [3, 1]"), std::string::npos)
      << error;
}

}  // namespace attention_tangent_test
}  // namespace ddx
