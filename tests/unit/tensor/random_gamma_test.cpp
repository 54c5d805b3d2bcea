#include "ddx/tensor/random_gamma.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_numbers.h"
#include "tests/support/thrown.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

namespace ddx {
namespace random_gamma_test {

const RandomKey key(42);

TEST(RandomGamma, AreThoseOfTheKeyOnEveryDevice) {
  const Tensor<double> concentration{0.1, 0.7, 1.0, 2.5, 100.0};
  const auto drawn = random_gamma(key, concentration);
  ddx::testing::expect_numbers("gamma", drawn);
  EXPECT_EQ(random_gamma(key, concentration.to(Device::naive())), drawn);
  EXPECT_EQ(random_gamma(key, zeros<float>({0, 3})).shape(), (Shape{0, 3}));
}

// Of concentration 1/2 the distribution function is erf(sqrt(x)), of 3 it is
// 1 - e^-x (1 + x + x^2 / 2).
TEST(RandomGamma, HaveTheirDistribution) {
  ddx::testing::expect_distribution(random_gamma(RandomKey(1), full<float>({20000}, 0.5F)),
                                    [](double x) { return std::erf(std::sqrt(x)); });
  ddx::testing::expect_distribution(
      random_gamma(RandomKey(1), full<double>({20000}, 3)),
      [](double x) { return 1 - std::exp(-x) * (1 + x + x * x / 2); });
}

TEST(RandomGamma, ConcentrationsMustBePositive) {
  EXPECT_EQ(ddx::testing::thrown<UsageError>([] { (void)random_gamma(key, Tensor<double>{1, 0}); }),
            "random_gamma: concentration 1 is 0, expected a finite number above 0 (here)");
}

TEST(RandomBeta, AreThoseOfTheKeyOnEveryDevice) {
  const Tensor<double> a{0.5, 2.0, 30.0};
  const Tensor<double> b{0.5, 3.0, 0.2};
  const auto drawn = random_beta(key, a, b);
  ddx::testing::expect_numbers("beta", drawn);
  EXPECT_EQ(random_beta(key, a.to(Device::naive()), b.to(Device::naive())), drawn);
}

// Of 1/2 and 1/2 the distribution function is 2 / pi asin(sqrt(x)), of 2 and 1 it is x^2.
TEST(RandomBeta, HaveTheirDistribution) {
  const auto half = full<double>({20000}, 0.5);
  ddx::testing::expect_distribution(random_beta(RandomKey(1), half, half), [](double x) {
    return 2 / std::numbers::pi * std::asin(std::sqrt(x));
  });
  ddx::testing::expect_distribution(
      random_beta(RandomKey(1), full<double>({20000}, 2), full<double>({20000}, 1)),
      [](double x) { return x * x; });
}

// Gamma variables of this concentration are below 1e-300 nearly always; their ratio is a number.
TEST(RandomBeta, SmallParametersGiveZerosAndOnes) {
  const auto small = full<double>({1000}, 1e-4);
  int ones = 0;
  for (const double number : random_beta(key, small, small).elements()) {
    ASSERT_TRUE(number >= 0 && number <= 1) << number;
    ones += number > 0.5 ? 1 : 0;
  }
  // Binomial: standard deviation 16.
  EXPECT_NEAR(ones, 500, 64);
}

TEST(RandomBeta, MistakesAreAnError) {
  using ddx::testing::thrown;
  EXPECT_EQ(
      thrown<UsageError>([] { (void)random_beta(key, Tensor<double>{1, 2}, Tensor<double>{1}); }),
      "random_beta: a has shape [2], b has shape [1] (here)");
  EXPECT_EQ(thrown<UsageError>(
                [] { (void)random_beta(key, Tensor<double>{1, 2}, Tensor<double>{1, -1}); }),
            "random_beta: concentration 1 is -1, expected a finite number above 0 (here)");
}

}  // namespace random_gamma_test
}  // namespace ddx
