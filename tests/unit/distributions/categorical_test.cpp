#include "ddx/distributions/categorical.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_distribution.h"
#include "tests/support/thrown.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>

namespace ddx::distributions {
namespace categorical_test {

TEST(Categorical, AgreesWithPyTorch) {
  const Categorical<double> p(Tensor<double>{{-1.0, 0.5, 2.0}, {0.0, 0.0, 0.0}});
  const Categorical<double> q(Tensor<double>{{0.25, -0.5, 1.0}, {1.0, 2.0, 3.0}});
  ddx::testing::expect_recorded_distribution("categorical", p, q, Tensor<std::int32_t>{2, 1});
}

// Rows with the classes 0 and 1 of probability 1/4, 3/4 and 3/4, 1/4; 10000 samples of each have
// the standard deviation 43.
TEST(Categorical, SamplesBelongToTheirRows) {
  const double three = std::log(3.0);
  const Categorical<double> d(Tensor<double>{{0.0, three}, {three, 0.0}});
  const auto drawn = d.sample(RandomKey(1), {100, 100});
  ASSERT_EQ(drawn.shape(), (Shape{100, 100, 2}));
  int first = 0;
  int second = 0;
  for (std::size_t i = 0; i < drawn.count(); i += 2) {
    first += drawn.elements()[i];
    second += drawn.elements()[i + 1];
  }
  EXPECT_NEAR(first, 7500, 4 * 43);
  EXPECT_NEAR(second, 2500, 4 * 43);
  EXPECT_EQ(d.sample(RandomKey(1)).shape(), (Shape{2}));
  EXPECT_EQ(d.log_probability(drawn).shape(), (Shape{100, 100, 2}));
}

TEST(Categorical, ImpossibleClassesDoNotCount) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const Categorical<double> p(Tensor<double>{0.0, 0.0, -inf});
  EXPECT_NEAR(p.entropy().item(), std::log(2.0), 1e-15);
  EXPECT_NEAR(kl_divergence(p, Categorical<double>(Tensor<double>{0.0, 0.0, 0.0})).item(),
              std::log(1.5), 1e-15);
  EXPECT_EQ(p.log_probability(Tensor<std::int32_t>(2)).item(), -inf);
}

TEST(Categorical, MistakesAreAnError) {
  const Categorical<double> d(Tensor<double>{0.0, 0.0});
  EXPECT_EQ(ddx::testing::thrown<UsageError>(
                [&] { (void)d.log_probability(Tensor<std::int32_t>{0, 2}); }),
            "Categorical: class 2 is not in [0, 2); shape [2] (here)");
  EXPECT_EQ(
      ddx::testing::thrown<UsageError>([] { (void)Categorical<double>(Tensor<double>(1.0)); }),
      "Categorical: logits of shape [] have no classes (here)");
}

}  // namespace categorical_test
}  // namespace ddx::distributions
