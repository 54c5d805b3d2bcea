#include "ddx/tensor/elementwise.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/tensor/closeness.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <source_location>

namespace ddx {
namespace elementwise_test {

using testing::thrown;

constexpr float infinity = std::numeric_limits<float>::infinity();

TEST(Elementwise, EdgesOfTheirDomains) {
  EXPECT_EQ(sigmoid(Tensor<float>{-1000, 0, 1000}), (Tensor<float>{0, 0.5, 1}));
  EXPECT_EQ(exp(Tensor<float>{-infinity, infinity}), (Tensor<float>{0, infinity}));
  EXPECT_EQ(log(Tensor<float>{0, infinity}), (Tensor<float>{-infinity, infinity}));
  EXPECT_TRUE(std::isnan(sqrt(Tensor<float>(-1)).item()));
  EXPECT_TRUE(std::isnan(relu(Tensor<float>(NAN)).item()));
  EXPECT_EQ(round(Tensor<double>{0.5, 1.5, 2.5, -0.5, -1.5, 0.49999999999999994}),
            (Tensor<double>{0, 2, 2, 0, -2, 0}));
  EXPECT_EQ(abs(Tensor<std::int32_t>{-3, 3}), (Tensor<std::int32_t>{3, 3}));
  EXPECT_EQ(sign(Tensor<std::uint8_t>{0, 7}), (Tensor<std::uint8_t>{0, 1}));
  EXPECT_TRUE(all_close(expm1(Tensor<double>{1e-12}), Tensor<double>{1e-12}));
}

TEST(Elementwise, SubgradientsAtTheirKinksAreZero) {
  EXPECT_EQ(relu_vjp(Tensor<double>(0)).pullback(Tensor<double>(3)).item(), 0);
  EXPECT_EQ(abs_vjp(Tensor<double>(0)).pullback(Tensor<double>(3)).item(), 0);
}

TEST(Comparison, TellsElementByElement) {
  const Tensor<float> x{1, 2, NAN};
  EXPECT_EQ(less(x, 2), (Tensor<bool>{true, false, false}));
  EXPECT_EQ(not_equal(x, x), (Tensor<bool>{false, false, true}));
  EXPECT_EQ(equal(Tensor<bool>{true, false}, Tensor<bool>{true, true}),
            (Tensor<bool>{true, false}));
  EXPECT_EQ(logical_and(greater(x, 0), logical_not(greater_equal(x, 2))),
            (Tensor<bool>{true, false, false}));
  EXPECT_EQ(logical_or(less_equal(x, 1), greater(x, 1)), (Tensor<bool>{true, true, false}));
}

TEST(Comparison, TakesNumbersOnEitherSide) {
  const Tensor<float> x{1, 2, 3};
  EXPECT_EQ(equal(2, x), (Tensor<bool>{false, true, false}));
  EXPECT_EQ(not_equal(2, x), (Tensor<bool>{true, false, true}));
  EXPECT_EQ(less(2, x), (Tensor<bool>{false, false, true}));
  EXPECT_EQ(less_equal(2, x), (Tensor<bool>{false, true, true}));
  EXPECT_EQ(greater(2, x), (Tensor<bool>{true, false, false}));
  EXPECT_EQ(greater_equal(2, x), (Tensor<bool>{true, true, false}));
  EXPECT_EQ(less(Tensor<std::uint8_t>{200}, 201), (Tensor<bool>{true}));
}

TEST(Select, TakesNumbersOnEitherSide) {
  const Tensor<bool> condition{true, false};
  const Tensor<float> x{1, 2};
  EXPECT_EQ(select(condition, x, 7), (Tensor<float>{1, 7}));
  EXPECT_EQ(select(condition, 7, x), (Tensor<float>{7, 2}));
  EXPECT_EQ(select(condition, 7.0F, -7.0F), (Tensor<float>{7, -7}));
  EXPECT_EQ(select(condition.to(Device::naive()), 1, 2).device(), Device::naive());
}

TEST(Comparison, NamesTheLine) {
  const Tensor<float> a{1, 2};
  const Tensor<float> b{1, 2, 3};
  EXPECT_EQ(thrown<UsageError>([&] { (void)less(a, b); }),
            "less: axis -1: extents 2 and 3 differ; shapes [2] and [3] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)maximum(a, b); }),
            "maximum: axis -1: extents 2 and 3 differ; shapes [2] and [3] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)pow(a, b); }),
            "pow: axis -1: extents 2 and 3 differ; shapes [2] and [3] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)logical_and(less(a, 1), less(b, 1)); }),
            "logical_and: axis -1: extents 2 and 3 differ; shapes [2] and [3] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)select(less(a, 1), b, b); }),
            "select: axis -1: extents 2 and 3 differ; shapes [2] and [3] (here)");
}

TEST(Extremes, ANaNWinsAndEqualsShareTheGradient) {
  EXPECT_TRUE(std::isnan(maximum(Tensor<float>(NAN), Tensor<float>(1)).item()));
  EXPECT_TRUE(std::isnan(minimum(Tensor<float>(1), Tensor<float>(NAN)).item()));
  const Tensor<double> x{1, 2, 3};
  const Tensor<double> y{2, 2, 2};
  const auto where = std::source_location::current();
  const auto [dx, dy] =
      maximum_vjp(x, y, where).pullback(Tensor<double>{4, 4, 4}, Wanted<2>::all());
  EXPECT_EQ(dx, (Tensor<double>{0, 2, 4}));
  EXPECT_EQ(dy, (Tensor<double>{4, 2, 0}));
}

TEST(Pow, GradientsAtTheEdgesAreFinite) {
  const Tensor<double> base{0, 0, -2};
  const Tensor<double> exponent{0, 2, 3};
  const auto where = std::source_location::current();
  const auto [da, db] =
      pow_vjp(base, exponent, where).pullback(Tensor<double>{1, 1, 1}, Wanted<2>::all());
  EXPECT_EQ(da, (Tensor<double>{0, 0, 12}));
  EXPECT_EQ(db, (Tensor<double>{0, 0, 0}));
}

}  // namespace elementwise_test
}  // namespace ddx
