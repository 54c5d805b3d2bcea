#include "ddx/nn/attention/rotary_embedding.h"

#include "ddx/ad/operators.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/norm.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_layers.h"
#include "tests/support/thrown.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <numbers>

namespace ddx::nn {
namespace rotary_embedding_test {

TEST(RotaryEmbedding, AgreesWithMultiplicationOfComplexNumbers) {
  const auto x = ddx::testing::numbers({2, 5, 6}, 1);
  (void)ddx::testing::recorded_gradient(
      "rotary_neighbours",
      RotaryEmbedding<double>{{.base = 100, .pairs = RotaryPairs::Neighbours, .first = 3}}, x);
  (void)ddx::testing::recorded_gradient("rotary_halves",
                                        RotaryEmbedding<double>{{.base = 100, .first = 3}}, x);
}

TEST(RotaryEmbedding, ProductsDependOnDistancesAlone) {
  const auto x = random_normal<double>(RandomKey(1), {1, 8});
  const auto y = random_normal<double>(RandomKey(2), {1, 8});
  const auto product = [&](std::int64_t of_x, std::int64_t of_y) {
    return sum(rotary_embedding(x, {.first = of_x}) * rotary_embedding(y, {.first = of_y})).item();
  };
  EXPECT_NEAR(product(7, 3), product(104, 100), 1e-12);
  EXPECT_NE(product(7, 3), product(7, 4));
}

/// The angles by which the pairs of a vector of four numbers at place 1 turn.
std::array<double, 2> angles(const RotaryOptions& options) {
  RotaryOptions at_one = options;
  at_one.first = 1;
  const auto y = rotary_embedding(Tensor<double>{{1.0, 1.0, 0.0, 0.0}}, at_one);
  return {std::atan2(y.elements()[2], y.elements()[0]),
          std::atan2(y.elements()[3], y.elements()[1])};
}

TEST(RotaryEmbedding, PairsTurnMoreSlowlyByAFactor) {
  const auto [fast, slow] =
      angles({.base = 100, .scaling = {.kind = RotaryScaling::Kind::Linear, .factor = 4}});
  EXPECT_NEAR(fast, 1.0 / 4, 1e-15);
  EXPECT_NEAR(slow, 0.1 / 4, 1e-15);
}

// In 63 places a pair that turns by s per place turns 63 s / (2 pi) times: s units.
TEST(RotaryEmbedding, PairsTurnMoreSlowlyByTheirFrequency) {
  const double unit = 63 / (2 * std::numbers::pi);
  const auto scaled = [&](double low, double high) {
    return angles({.base = 100,
                   .scaling = {.kind = RotaryScaling::Kind::Llama3,
                               .factor = 4,
                               .low_frequency = low * unit,
                               .high_frequency = high * unit,
                               .original_places = 63}});
  };
  // The pairs have frequencies of 1 and 0.1 units: above and below.
  EXPECT_NEAR(scaled(0.5, 0.9)[0], 1, 1e-15);
  EXPECT_NEAR(scaled(0.5, 0.9)[1], 0.1 / 4, 1e-15);
  // Halfway: (1 / 4 + 1) / 2.
  EXPECT_NEAR(scaled(0.5, 1.5)[0], 0.625, 1e-15);
  EXPECT_NEAR(scaled(0.05, 0.15)[1], 0.0625, 1e-15);
}

// Of base 100 and depth 4 pair i turns by 10^-i: 100 10^-i / (2 pi) times in 100 places, so 15.9
// and 1.59 times. Pairs that turn 10^a times have the number log10(100 / (2 pi)) - a = 1.2018 - a.
TEST(RotaryEmbedding, PairsTurnMoreSlowlyByTheirNumbers) {
  const auto scaled = [](double fast, double slow, bool whole) {
    return angles({.base = 100,
                   .scaling = {.kind = RotaryScaling::Kind::Yarn,
                               .factor = 4,
                               .original_places = 100,
                               .fast_turns = fast,
                               .slow_turns = slow,
                               .whole_pairs = whole}});
  };
  const double one = std::log10(100 / (2 * std::numbers::pi)) - 1;
  // Between pair 0.2018 and 2.2018: pair 0 as without scaling, pair 1 by 1 - (1 - 0.2018) / 2.
  const double kept = 1 - (1 - one) / 2;
  EXPECT_NEAR(scaled(10, 0.1, false)[0], 1, 1e-14);
  EXPECT_NEAR(scaled(10, 0.1, false)[1], 0.1 * (kept + (1 - kept) / 4), 1e-14);
  // Between pair 0 and 3.
  EXPECT_NEAR(scaled(10, 0.1, true)[1], 0.1 * (2.0 / 3 + 1.0 / 3 / 4), 1e-14);
}

TEST(RotaryEmbedding, PairsTurnMoreSlowlyByListedFactors) {
  const auto [fast, slow] =
      angles({.base = 100, .scaling = {.kind = RotaryScaling::Kind::Listed, .factors = {2, 8}}});
  EXPECT_NEAR(fast, 1.0 / 2, 1e-15);
  EXPECT_NEAR(slow, 0.1 / 8, 1e-15);
}

TEST(RotaryEmbedding, YarnMakesVectorsLonger) {
  RotaryScaling scaling{.kind = RotaryScaling::Kind::Yarn, .factor = 4};
  const Tensor<double> x{{3.0, 0.0, 4.0, 0.0}};
  EXPECT_NEAR(norm(rotary_embedding(x, {.scaling = scaling, .first = 5})).item(),
              5 * (1 + 0.1 * std::log(4)), 1e-12);
  scaling.magnitude = 2;
  EXPECT_NEAR(norm(rotary_embedding(x, {.scaling = scaling, .first = 5})).item(), 10, 1e-12);
}

TEST(RotaryEmbedding, LeavesWhatIsBehindTheDepth) {
  const auto x = random_normal<double>(RandomKey(1), {3, 6});
  const auto y = rotary_embedding(x, {.first = 2, .depth = 4});
  const auto front = slice(x, {.stop = {3, 4}});
  EXPECT_EQ(slice(y, {.stop = {3, 4}}), rotary_embedding(front, {.first = 2}));
  EXPECT_EQ(slice(y, {.start = {0, 4}}), slice(x, {.start = {0, 4}}));
  EXPECT_EQ(rotary_embedding(x, {.depth = 6}), rotary_embedding(x));
}

TEST(RotaryEmbedding, MistakesAreAnError) {
  using ddx::testing::thrown;
  EXPECT_EQ(thrown<UsageError>([] { (void)rotary_embedding(zeros<float>({2, 3})); }),
            "rotary_embedding: shape [2, 3] is not [..., time, depth] of an even depth (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)rotary_embedding(zeros<float>({2, 4}), {.base = 0}); }),
            "rotary_embedding: base is 0, expected a finite number above 0");
  EXPECT_EQ(thrown<UsageError>([] { (void)rotary_embedding(zeros<float>({2, 4}), {.depth = 6}); }),
            "rotary_embedding: depth is 6, that of shape [2, 4] is 4 (here)");
  const auto scaled = [](const RotaryScaling& scaling) {
    return thrown<UsageError>(
        [&] { (void)rotary_embedding(zeros<float>({2, 4}), {.scaling = scaling}); });
  };
  EXPECT_EQ(scaled({.kind = RotaryScaling::Kind::Linear, .factor = 0}),
            "rotary_embedding: factor is 0, expected a finite number above 0");
  EXPECT_EQ(scaled({.kind = RotaryScaling::Kind::Llama3, .low_frequency = 4}),
            "rotary_embedding: high_frequency is 4.000000, not above low_frequency, which is "
            "4.000000");
  EXPECT_EQ(scaled({.kind = RotaryScaling::Kind::Llama3, .original_places = 0}),
            "rotary_embedding: original_places is 0, at least 1 is required");
  EXPECT_EQ(scaled({.kind = RotaryScaling::Kind::Yarn, .slow_turns = 0}),
            "rotary_embedding: slow_turns is 0, expected a finite number above 0");
  EXPECT_EQ(scaled({.kind = RotaryScaling::Kind::Yarn, .magnitude = -1}),
            "rotary_embedding: magnitude is -1, expected a finite number above 0");
  EXPECT_EQ(scaled({.kind = RotaryScaling::Kind::Listed, .factors = {1, 0}}),
            "rotary_embedding: factors is 0, expected a finite number above 0");
  EXPECT_EQ(scaled({.kind = RotaryScaling::Kind::Listed, .factors = {1}}),
            "rotary_embedding: the scaling lists 1 factors, shape [2, 4] has 2 pairs (here)");
}

}  // namespace rotary_embedding_test
}  // namespace ddx::nn
