#include "ddx/tensor/norm.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/tensor/closeness.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <source_location>

namespace ddx {
namespace norm_test {

using testing::thrown;

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Norm, OfEachOrder) {
  const Tensor<double> x{{3, -4}, {0, -2}};
  EXPECT_EQ(norm(x, {.axes = {1}}), (Tensor<double>{5, 2}));
  EXPECT_EQ(norm(x, {.order = 1, .axes = {0}}), (Tensor<double>{3, 6}));
  EXPECT_EQ(norm(x, {.order = infinity, .keep_dims = true}), Tensor<double>({1, 1}, {4}));
  EXPECT_NEAR(norm(x, {.order = 3}).item(), std::cbrt(27 + 64 + 8), 1e-14);
}

TEST(Norm, NeitherOverflowsNorVanishesOnTheWay) {
  for (const Device device : {Device::naive(), Device::cpu()}) {
    const auto x = Tensor<float>{{3e30F, 4e30F}, {3e-30F, -4e-30F}, {0, 0}}.to(device);
    const Tolerance tight{.relative = 1e-6, .absolute = 0};
    EXPECT_TRUE(all_close(norm(x, {.axes = {1}}), Tensor<float>{5e30F, 5e-30F, 0}, tight));
  }
  EXPECT_EQ(norm(Tensor<double>{1, infinity}).item(), infinity);
  EXPECT_TRUE(std::isnan(norm(Tensor<double>{1, NAN}).item()));
}

TEST(Norm, OverNothingIsZero) {
  for (const double order : {1.0, 2.0, 3.0, infinity}) {
    EXPECT_EQ(norm(zeros<double>({0}), {.order = order}).item(), 0) << order;
    EXPECT_EQ(norm(zeros<double>({2, 0}), {.order = order, .axes = {1}}), (Tensor<double>{0, 0}));
  }
}

TEST(Norm, ItsGradientIsZeroAtZeroAndSharedAmongEquals) {
  const auto where = std::source_location::current();
  const Tensor<double> one(1);
  EXPECT_EQ(norm_vjp(Tensor<double>{3, -4}, {}, where).pullback(one), (Tensor<double>{0.6, -0.8}));
  for (const double order : {1.0, 2.0, 3.0, infinity}) {
    EXPECT_EQ(norm_vjp(Tensor<double>{0, 0}, {.order = order}, where).pullback(one),
              (Tensor<double>{0, 0}))
        << order;
  }
  EXPECT_EQ(norm_vjp(Tensor<double>{2, -2, 1}, {.order = infinity}, where).pullback(one),
            (Tensor<double>{0.5, -0.5, 0}));
}

TEST(Norm, RejectsOrdersBelowOneAndAxesThatAreNotThere) {
  const Tensor<double> x{1, 2};
  EXPECT_EQ(thrown<UsageError>([&] { (void)norm(x, {.order = 0.5}); }),
            "norm: the order 0.500000 is below 1 (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)norm(x, {.order = NAN}); }),
            "norm: the order nan is below 1 (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)norm(x, {.axes = {1}}); }),
            "max: axis 1 is not in [-1, 1); shape [2] (here)");
}

}  // namespace norm_test
}  // namespace ddx
