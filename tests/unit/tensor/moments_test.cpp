#include "ddx/tensor/moments.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/tensor/closeness.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cmath>
#include <gtest/gtest.h>
#include <source_location>

namespace ddx {
namespace moments_test {

using testing::thrown;

// Of 1, 2, 3, 6 the mean is 3, the squares of the distances are 4, 1, 0, 9.
TEST(Variance, IsThePopulationsOrTheSamples) {
  const Tensor<double> x{1, 2, 3, 6};
  EXPECT_EQ(variance(x).item(), 3.5);
  EXPECT_EQ(variance(x, {.unbiased = true}).item(), 14.0 / 3);
  EXPECT_EQ(standard_deviation(x).item(), std::sqrt(3.5));
  EXPECT_EQ(variance(Tensor<double>{{1, 2}, {3, 6}}, {.axes = {0}}), (Tensor<double>{1, 4}));
  EXPECT_EQ(variance(Tensor<double>{{1, 2}, {3, 6}}, {.axes = {-1}, .keep_dims = true}),
            Tensor<double>({2, 1}, {0.25, 2.25}));
  const auto both = moments(Tensor<double>{{1, 2}, {3, 6}}, {.axes = {0}});
  EXPECT_EQ(both.mean, (Tensor<double>{2, 4}));
  EXPECT_EQ(both.variance, (Tensor<double>{1, 4}));
}

// The mean of squares minus the square of the mean would be 0 in float.
TEST(Variance, KeepsItsDigitsFarFromZero) {
  for (const Device device : {Device::naive(), Device::cpu()}) {
    const auto x = Tensor<float>{100001, 100002, 100003}.to(device);
    EXPECT_NEAR(variance(x).item(), 2.0 / 3, 1e-6) << to_string(device);
  }
}

TEST(Variance, OfFewElements) {
  EXPECT_EQ(variance(Tensor<float>{5}).item(), 0);
  EXPECT_TRUE(std::isnan(variance(Tensor<float>{5}, {.unbiased = true}).item()));
  EXPECT_TRUE(std::isnan(variance(zeros<float>({0})).item()));
  EXPECT_EQ(variance(zeros<float>({0, 3}), {.axes = {1}}).shape(), (Shape{0}));
}

// By hand: 2 (x - m) / n = (-2, -1, 0, 3) / 2; over n - 1: / 1.5.
TEST(Variance, ItsGradientKnowsTheDivisor) {
  const auto where = std::source_location::current();
  const Tensor<double> x{1, 2, 3, 6};
  EXPECT_EQ(variance_vjp(x, {}, where).pullback(Tensor<double>(1)),
            (Tensor<double>{-1, -0.5, 0, 1.5}));
  EXPECT_TRUE(all_close(variance_vjp(x, {.unbiased = true}, where).pullback(Tensor<double>(3)),
                        Tensor<double>{-4, -2, 0, 6}));
  EXPECT_EQ(standard_deviation_vjp(Tensor<double>{7, 7}, {}, where).pullback(Tensor<double>(1)),
            (Tensor<double>{0, 0}))
      << "a constant has the deviation 0, where the square root has no slope";
}

TEST(Variance, RejectsAxesThatAreNotThere) {
  EXPECT_EQ(thrown<UsageError>([] { (void)variance(Tensor<float>{1, 2}, {.axes = {1}}); }),
            "mean: axis 1 is not in [-1, 1); shape [2] (here)");
}

}  // namespace moments_test
}  // namespace ddx
