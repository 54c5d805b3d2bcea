#include "ddx/tensor/attention.h"

#include "ddx/ad/vjp.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/float16.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/softmax.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <source_location>
#include <string>
#include <tuple>

namespace ddx {
namespace attention_test {

using testing::thrown;

/// The results of attention with a cotangent.
template <class Scalar>
struct Results {
  Tensor<Scalar> y, dq, dk, dv;
};

/// By matmul and softmax, with all scores in memory.
template <class Scalar>
Results<Scalar> composed(const Tensor<Scalar>& q, const Tensor<Scalar>& k, const Tensor<Scalar>& v,
                         const Tensor<Scalar>& dy, double scale, bool causal) {
  const auto factor = static_cast<Scalar>(scale);
  const std::int64_t queries = q.shape()[q.rank() - 2];
  const std::int64_t keys = k.shape()[k.rank() - 2];
  auto scores = matmul(q * factor, k, {.transpose_right = true});
  if (causal) {
    // Query i sees key j where j - i <= keys - queries.
    Tensor<Scalar> hidden = zeros<Scalar>({queries, keys}, q.device());
    for (std::int64_t i = 0; i < queries; ++i) {
      for (std::int64_t j = 0; j < keys; ++j) {
        if (j - i > keys - queries) {
          hidden.mutable_elements()[static_cast<std::size_t>(i * keys + j)] =
              -std::numeric_limits<Scalar>::infinity();
        }
      }
    }
    scores = scores + hidden;
  }
  const auto p = softmax(scores);
  const auto dp = matmul(dy, v, {.transpose_right = true});
  const auto ds = p * (dp - sum(p * dp, {.axes = {-1}, .keep_dims = true})) * factor;
  return {matmul(p, v), matmul(ds, k), matmul(ds, q, {.transpose_left = true}),
          matmul(p, dy, {.transpose_left = true})};
}

template <class Scalar>
Results<Scalar> fused(const Tensor<Scalar>& q, const Tensor<Scalar>& k, const Tensor<Scalar>& v,
                      const Tensor<Scalar>& dy, const DotProductAttentionOptions& options) {
  const auto [y, pullback] = attention_vjp(q, k, v, options, std::source_location::current());
  const auto [dq, dk, dv] = pullback(dy, Wanted<3>::all());
  return {y, dq, dk, dv};
}

template <class Scalar>
void expect_near(const Tensor<Scalar>& got, const Tensor<Scalar>& expected, double tolerance) {
  ASSERT_EQ(got.shape(), expected.shape());
  const auto largest = static_cast<double>(max(abs(expected)).item());
  EXPECT_LE(static_cast<double>(max(abs(got - expected)).item()), tolerance * (1 + largest));
}

template <class Scalar>
void expect_as_composed(std::int64_t queries, std::int64_t keys, bool causal) {
  SCOPED_TRACE("queries " + std::to_string(queries) + ", keys " + std::to_string(keys) +
               (causal ? ", causal" : ""));
  const auto draw = [](std::uint64_t key, const Shape& shape) {
    return random_normal<Scalar>(RandomKey(key), shape);
  };
  const auto q = draw(1, {2, queries, 20});
  const auto k = draw(2, {2, keys, 20});
  const auto v = draw(3, {2, keys, 12});
  const auto dy = draw(4, {2, queries, 12});
  const auto expected = composed(q, k, v, dy, 0.3, causal);
  const auto got = fused(q, k, v, dy, {.scale = 0.3, .causal = causal});
  const double tolerance = 40 * static_cast<double>(std::numeric_limits<Scalar>::epsilon());
  expect_near(got.y, expected.y, tolerance);
  expect_near(got.dq, expected.dq, tolerance);
  expect_near(got.dk, expected.dk, tolerance);
  expect_near(got.dv, expected.dv, tolerance);
}

// Scores 0 and log 3: weights 1/4 and 3/4. With y = 7 and dy = 2 the scores' cotangents are
// 1/4 2 (4 - 7) = -3/2 and 3/4 2 (8 - 7) = 3/2.
TEST(Attention, IsTheMeanOfTheValuesByWeights) {
  const double log3 = std::log(3.0);
  const Tensor<double> q(Shape{1, 1}, {1});
  const Tensor<double> k(Shape{2, 1}, {0, log3});
  const Tensor<double> v(Shape{2, 1}, {4, 8});
  const auto r = fused(q, k, v, Tensor<double>(Shape{1, 1}, {2}), {.scale = 1});
  EXPECT_NEAR(r.y.item(), 7, 1e-14);
  EXPECT_NEAR(r.dq.item(), 1.5 * log3, 1e-14);
  expect_near(r.dk, Tensor<double>(Shape{2, 1}, {-1.5, 1.5}), 1e-14);
  expect_near(r.dv, Tensor<double>(Shape{2, 1}, {0.5, 1.5}), 1e-14);
  // Halved by the scale, without one divided by sqrt(4): weights 1 and sqrt(3) over their sum.
  const double expected = (4 + 8 * std::sqrt(3.0)) / (1 + std::sqrt(3.0));
  EXPECT_NEAR(attention(q, k, v, {.scale = 0.5}).item(), expected, 1e-14);
  const Tensor<double> wide(Shape{1, 4}, {1, 0, 0, 0});
  const Tensor<double> wide_keys(Shape{2, 4}, {0, 5, 5, 5, log3, 5, 5, 5});
  EXPECT_NEAR(attention(wide, wide_keys, v).item(), expected, 1e-14);
}

TEST(Attention, AgreesWithItsPartsAroundTheBordersOfBlocks) {
  for (const std::int64_t queries : {1, 63, 64, 65, 130}) {
    for (const std::int64_t keys : {1, 127, 128, 129, 260}) {
      expect_as_composed<float>(queries, keys, false);
      expect_as_composed<double>(queries, keys, false);
      if (queries <= keys) {
        expect_as_composed<float>(queries, keys, true);
        expect_as_composed<double>(queries, keys, true);
      }
    }
  }
}

// Three queries and two keys: the first stands before both, the last sees both.
TEST(Attention, AQueryThatSeesNoKeyGetsZerosAndNoGradient) {
  for (const Device device : {Device(), Device::naive()}) {
    const auto q = ones<float>({3, 1}, device);
    const auto k = ones<float>({2, 1}, device);
    const Tensor<float> v(Shape{2, 1}, {4, 8}, device);
    const auto results =
        detail::attention(q.array(), k.array(), v.array(), {.scale = 1, .causal = true}, {});
    EXPECT_EQ(Tensor<float>(results[0]), Tensor<float>(Shape{3, 1}, {0, 4, 6}, device));
    const Tensor<float> sums(results[1]);
    EXPECT_EQ(sums[{0}], -std::numeric_limits<float>::infinity());
    EXPECT_NEAR(sums[{1}], 1, 1e-6);
    EXPECT_NEAR(sums[{2}], 1 + std::log(2.0), 1e-6);
    const auto r =
        fused(q, k, v, Tensor<float>(Shape{3, 1}, {100, 1, 1}, device), {.causal = true});
    EXPECT_EQ((r.dq[{0, 0}]), 0);
    EXPECT_NEAR((r.dv[{0, 0}]), 1.5, 1e-6);
    EXPECT_NEAR((r.dv[{1, 0}]), 0.5, 1e-6);
  }
}

TEST(Attention, WithoutKeysIsZeros) {
  for (const Device device : {Device(), Device::naive()}) {
    const auto q = ones<float>({2, 3, 4}, device);
    const auto none = zeros<float>({2, 0, 4}, device);
    const auto r = fused(q, none, none, q, {});
    EXPECT_EQ(r.y, zeros<float>({2, 3, 4}, device));
    EXPECT_EQ(r.dq, zeros<float>({2, 3, 4}, device));
    EXPECT_EQ(r.dk.shape(), (Shape{2, 0, 4}));
    const auto back = fused(none, q, q, none, {});
    EXPECT_EQ(back.y.shape(), (Shape{2, 0, 4}));
    EXPECT_EQ(back.dk, zeros<float>({2, 3, 4}, device));
    EXPECT_EQ(back.dv, zeros<float>({2, 3, 4}, device));
  }
}

// Of scores -1e8, 1e8 and 1e8 - 64 (the neighbour of 1e8 in float is 8 away) the second has all the
// weight but e^-64; 200 keys in two blocks, the largest score in the second one.
TEST(Attention, ScoresMayBeLarge) {
  for (const Device device : {Device(), Device::naive()}) {
    auto k = full<float>({200, 1}, -1e8F, device);
    auto v = full<float>({200, 1}, 7, device);
    k.mutable_elements()[150] = 1e8F;
    k.mutable_elements()[3] = 1e8F - 64;
    v.mutable_elements()[150] = 3;
    const auto q = ones<float>({1, 1}, device);
    const auto r = fused(q, k, v, q, {.scale = 1});
    EXPECT_EQ(r.y.item(), 3);
    EXPECT_NEAR(r.dq.item(), 4e8 * std::exp(-64.0), 1e-22);
    EXPECT_EQ(sum(r.dv).item(), 1);
    EXPECT_EQ((r.dv[{150, 0}]), 1);
  }
}

// Of scores 0 and x below -40, the second weight is e^x / (1 + e^x), which rounds as e^x does.
TEST(Attention, SmallWeightsOfDoublesAreAccurate) {
  const std::int64_t count = 4001;
  auto k = zeros<double>({count, 2, 1});
  for (std::int64_t i = 0; i < count; ++i) {
    k.mutable_elements()[static_cast<std::size_t>(2 * i + 1)] =
        -40 - 0.165 * static_cast<double>(i);
  }
  auto v = zeros<double>({count, 2, 1});
  v = v + Tensor<double>(Shape{2, 1}, {0, 1});
  const auto y = attention(ones<double>({count, 1, 1}), k, v);
  for (std::int64_t i = 0; i < count; ++i) {
    const double expected = std::exp((k[{i, 1, 0}]));
    EXPECT_NEAR((y[{i, 0, 0}]), expected, 3e-16 * expected) << (k[{i, 1, 0}]);
  }
}

TEST(Attention, PassesOnWhatIsNoNumber) {
  for (const Device device : {Device(), Device::naive()}) {
    auto q = ones<float>({2, 1}, device);
    q.mutable_elements()[0] = std::numeric_limits<float>::quiet_NaN();
    const auto k = ones<float>({3, 1}, device);
    const auto y = attention(q, k, k);
    EXPECT_TRUE(std::isnan(y[{0, 0}]));
    EXPECT_EQ((y[{1, 0}]), 1);
  }
}

TEST(Attention, SixteenBitsAreRoundedOnce) {
  const auto q = random_normal<float>(RandomKey(1), {70, 8});
  const auto half = cast<Half>(q);
  const auto wide = cast<float>(half);
  EXPECT_EQ(attention(half, half, half), cast<Half>(attention(wide, wide, wide)));
}

TEST(Attention, NamesWhatDoesNotFit) {
  const auto expect_refused = [](const Shape& query, const Shape& key, const Shape& value) {
    EXPECT_EQ(
        thrown<UsageError>(
            [&] { (void)attention(zeros<float>(query), zeros<float>(key), zeros<float>(value)); }),
        "attention: query " + to_string(query) + ", key " + to_string(key) + " and value " +
            to_string(value) +
            " are not [batch, queries, depth], [batch, keys, depth] and [batch, keys, out] (here)");
  };
  expect_refused({2, 3, 4}, {2, 5, 6}, {2, 5, 4});  // Depths.
  expect_refused({2, 3, 4}, {2, 5, 4}, {2, 6, 4});  // Numbers of keys.
  expect_refused({2, 3, 4}, {3, 5, 4}, {3, 5, 4});  // Batches.
  expect_refused({2, 3, 4}, {2, 5, 4}, {3, 5, 4});
  expect_refused({2, 3, 4}, {5, 4}, {5, 4});  // Ranks.
  expect_refused({4}, {4}, {4});
  const auto x = zeros<float>({2, 3, 4});
  EXPECT_EQ(thrown<UsageError>([&] { (void)attention(x, x.to(Device::naive()), x); }),
            "attention: operands lie on devices cpu and naive; shapes [2, 3, 4] and [2, 3, 4] "
            "(here)");
}

}  // namespace attention_test
}  // namespace ddx
