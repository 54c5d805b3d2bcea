// Gradients of random numbers by the parameters of their distributions.

#include "ddx/ad/differential.h"
#include "ddx/ad/operators.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/detail/random_gamma_numbers.h"
#include "ddx/tensor/random_gamma.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
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
