// Gradients of random numbers by the parameters of their distributions.

#include "ddx/ad/differential.h"
#include "ddx/ad/operators.h"
#include "ddx/core/device.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/compile.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/detail/random_gamma_numbers.h"
#include "ddx/tensor/fractional_pooling.h"
#include "ddx/tensor/random_gamma.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace ddx {
namespace {

struct Slope {
  double concentration;
  double variable;
  double slope;
};

TEST(RandomGradients, OfGammaVariablesAgreeWithMultiplePrecision) {
  const std::vector<Slope> recorded = {
#include "tests/goldens/gamma_slopes.inc"
  };
  for (const auto& [concentration, variable, slope] : recorded) {
    // The upper tail costs digits: see log_gamma_slope.
    EXPECT_NEAR(detail::log_gamma_slope(std::log(variable), concentration) / slope, 1, 1e-9)
        << concentration << ", " << variable;
  }
}

// x = a + sqrt(a) e + ... for a large concentration a: from the series below 10^6 to the limit
// above.
TEST(RandomGradients, OfGammaVariablesOfLargeConcentrationsAreContinuous) {
  for (const double deviations : {-3.0, -0.5, 0.0, 2.0}) {
    const double a = 999999;
    const double x = a + deviations * std::sqrt(a);
    EXPECT_NEAR(detail::log_gamma_slope(std::log(x), a) * x,
                detail::log_gamma_slope(std::log(x + 2), a + 2) * (x + 2), 1e-8)
        << deviations;
  }
}

// The mean of the variables is the concentration, the mean of their squares a (a + 1); so are the
// means of the gradients, up to 4 deviations of a mean of 20000.
TEST(RandomGradients, OfGammaVariablesHaveTheirMeans) {
  for (const double a : {0.3, 4.0}) {
    const auto concentration = full<double>({20000}, a);
    const auto of_mean = gradient(
        [](const Tensor<double>& c) { return mean(random_gamma(RandomKey(1), c)); }, concentration);
    EXPECT_NEAR(sum(of_mean).item(), 1, 0.04) << a;
    const auto of_square = gradient(
        [](const Tensor<double>& c) { return mean(square(random_gamma(RandomKey(1), c))); },
        concentration);
    EXPECT_NEAR(sum(of_square).item(), 2 * a + 1, 0.1 * (2 * a + 1)) << a;
  }
}

// The mean is a / (a + b): its derivatives are b / (a + b)^2 and -a / (a + b)^2.
TEST(RandomGradients, OfBetaVariablesHaveTheirMeans) {
  const auto a = full<double>({20000}, 2);
  const auto b = full<double>({20000}, 0.5);
  const auto [of_a, of_b] =
      gradient([](const Tensor<double>& x,
                  const Tensor<double>& y) { return mean(random_beta(RandomKey(1), x, y)); },
               a, b);
  EXPECT_NEAR(sum(of_a).item(), 0.5 / 6.25, 0.004);
  EXPECT_NEAR(sum(of_b).item(), -2 / 6.25, 0.02);
}

// The slopes too are drawn at each call.
TEST(RandomGradients, InCompiledFunctionsAreThoseOfTheKeyOfTheCall) {
  const Tensor<double> a({4}, {0.3, 1, 2.5, 40}, Device::lazy());
  const Tensor<double> b({4}, {2, 0.7, 9, 1}, Device::lazy());
  const auto slopes = [&](const RandomKey& key, const Tensor<double>& scale) {
    const auto f = [&](const Tensor<double>& p, const Tensor<double>& q) {
      return sum(scale * random_gamma(key, p) * random_beta(key.fold_in(1), p, q));
    };
    return gradient(f, a.to(scale.device()), b.to(scale.device()));
  };
  int calls = 0;
  const auto compiled = compile([&](const RandomKey& key, const Tensor<double>& scale) {
    ++calls;
    return slopes(key, scale);
  });
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const Tensor<double> scale({4}, {1, -2, 0.5, static_cast<double>(seed)});
    const auto [of_a, of_b] = compiled(RandomKey(seed), scale);
    for (const Device device : {Device::cpu(), Device::lazy()}) {
      const auto [plain_a, plain_b] = slopes(RandomKey(seed), scale.to(device));
      EXPECT_EQ(of_a.values(), plain_a.values()) << seed;
      EXPECT_EQ(of_b.values(), plain_b.values()) << seed;
    }
  }
  EXPECT_EQ(calls, 1);
}

TEST(RandomGradients, OfFractionalPoolingInCompiledFunctionsAreThoseOfTheKeyOfTheCall) {
  std::vector<double> elements(9 * 7);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    elements[i] = static_cast<double>((i * 29) % 64);
  }
  const Tensor<double> x({1, 9, 7, 1}, elements);
  const auto slope = [](const RandomKey& key, const Tensor<double>& image) {
    return gradient(
        [&](const Tensor<double>& y) {
          return sum(square(fractional_max_pool2d(key, y, {.ratios = {1.6, 1.3}})));
        },
        image);
  };
  int calls = 0;
  const auto compiled = compile([&](const RandomKey& key, const Tensor<double>& image) {
    ++calls;
    return slope(key, image);
  });
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    EXPECT_EQ(compiled(RandomKey(seed), x).values(), slope(RandomKey(seed), x).values()) << seed;
  }
  EXPECT_EQ(calls, 1);
}

TEST(RandomGradients, ForwardModeAgreesWithReverseMode) {
  const Tensor<double> a{0.5, 2.0, 7.0};
  const Tensor<double> b{1.5, 0.25, 3.0};
  const Tensor<double> direction{1.0, -2.0, 0.5};
  const auto f = [&](const Tensor<double>& x) {
    return sum(random_beta(RandomKey(1), x, b) * random_gamma(RandomKey(2), x));
  };
  EXPECT_NEAR(jvp(f, along(direction), a).tangent.item(), sum(gradient(f, a) * direction).item(),
              1e-13);
}

}  // namespace
}  // namespace ddx
