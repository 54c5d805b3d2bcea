#include "ddx/tensor/random_categorical.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_numbers.h"
#include "tests/support/thrown.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>

namespace ddx {
namespace random_categorical_test {

constexpr double inf = std::numeric_limits<double>::infinity();

TEST(RandomCategorical, AreThoseOfTheKeyOnEveryDevice) {
  // Weights 1, 2, 0 and 5, times e^100.
  const Tensor<double> logits{100, 100 + std::log(2.0), -inf, 100 + std::log(5.0)};
  const auto drawn = random_categorical(RandomKey(42), logits, 12);
  ddx::testing::expect_numbers("categorical", drawn);
  EXPECT_EQ(random_categorical(RandomKey(42), logits.to(Device::naive()), 12), drawn);
}

// 40000 numbers: standard deviations sqrt(n p (1 - p)) up to 100.
TEST(RandomCategorical, EachRowHasItsProbabilities) {
  const Tensor<float> logits{{0, std::log(3.0F)}, {std::log(3.0F), 0}};
  const auto drawn = random_categorical(RandomKey(1), logits, 40000);
  ASSERT_EQ(drawn.shape(), (Shape{2, 40000}));
  std::array<int, 2> ones{};
  for (std::size_t i = 0; i < 80000; ++i) {
    ones.at(i / 40000) += drawn.elements()[i];
  }
  EXPECT_NEAR(ones[0], 30000, 350);
  EXPECT_NEAR(ones[1], 10000, 350);
}

TEST(RandomCategorical, EmptyAndCertainCasesAreRight) {
  EXPECT_EQ(random_categorical(RandomKey(1), zeros<float>({3, 2}), 0).shape(), (Shape{3, 0}));
  EXPECT_EQ(random_categorical(RandomKey(1), zeros<float>({0, 2}), 5).shape(), (Shape{0, 5}));
  EXPECT_EQ(random_categorical(RandomKey(1), Tensor<double>{-inf, -1e300, -inf}, 3),
            (Tensor<std::int32_t>{1, 1, 1}));
}

TEST(RandomCategorical, MistakesAreAnError) {
  using ddx::testing::thrown;
  const RandomKey key(1);
  EXPECT_EQ(thrown<UsageError>([&] { (void)random_categorical(key, Tensor<float>(1), 2); }),
            "random_categorical: scores of shape [] and a count of 2: an axis and a count of at "
            "least 0 are required (here)");
  EXPECT_EQ(thrown<UsageError>(
                [&] { (void)random_categorical(key, Tensor<double>{{0, 0}, {-inf, -inf}}, 2); }),
            "random_categorical: the largest score of row 1 is -inf, a finite one is required "
            "(here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)random_categorical(key, Tensor<double>{NAN, 0}, 2); }),
            "random_categorical: the largest score of row 0 is nan, a finite one is required "
            "(here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)random_categorical(key, zeros<float>({2, 0}), 2); }),
            "random_categorical: the largest score of row 0 is -inf, a finite one is required "
            "(here)");
}

}  // namespace random_categorical_test
}  // namespace ddx
