#include "ddx/tensor/cumulative.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/tensor/closeness.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <source_location>

namespace ddx {
namespace cumulative_test {

using testing::thrown;

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Cumulative, GoesAlongAnAxisBothWays) {
  const Tensor<float> x{{1, 2, 3}, {4, 5, 6}};
  EXPECT_EQ(cumulative_sum(x), (Tensor<float>{{1, 3, 6}, {4, 9, 15}}));
  EXPECT_EQ(cumulative_sum(x, {.axis = 0}), (Tensor<float>{{1, 2, 3}, {5, 7, 9}}));
  EXPECT_EQ(cumulative_sum(x, {.reverse = true}), (Tensor<float>{{6, 5, 3}, {15, 11, 6}}));
  EXPECT_EQ(cumulative_product(x), (Tensor<float>{{1, 2, 6}, {4, 20, 120}}));
  EXPECT_EQ(cumulative_max(Tensor<float>{2, 1, 3, 3, 0}), (Tensor<float>{2, 2, 3, 3, 3}));
}

TEST(Cumulative, ExclusiveBeginsWithTheNeutralElement) {
  const Tensor<double> x{2, 3, 4};
  EXPECT_EQ(cumulative_sum(x, {.exclusive = true}), (Tensor<double>{0, 2, 5}));
  EXPECT_EQ(cumulative_sum(x, {.exclusive = true, .reverse = true}), (Tensor<double>{7, 4, 0}));
  EXPECT_EQ(cumulative_product(x, {.exclusive = true}), (Tensor<double>{1, 2, 6}));
  EXPECT_EQ(cumulative_max(x, {.exclusive = true}), (Tensor<double>{-infinity, 2, 3}));
  EXPECT_EQ(cumulative_max(Tensor<std::int32_t>{5, 6}, {.exclusive = true, .reverse = true}),
            (Tensor<std::int32_t>{6, std::numeric_limits<std::int32_t>::min()}));
  EXPECT_EQ(cumulative_log_sum_exp(Tensor<double>{0, 0}, {.exclusive = true}),
            (Tensor<double>{-infinity, 0}));
}

TEST(Cumulative, OfNothingAndOfOne) {
  EXPECT_EQ(cumulative_sum(zeros<float>({3, 0})).shape(), (Shape{3, 0}));
  EXPECT_EQ(cumulative_max(zeros<float>({0, 3}), {.axis = 0, .exclusive = true}).shape(),
            (Shape{0, 3}));
  EXPECT_EQ(cumulative_product(Tensor<float>{7}), (Tensor<float>{7}));
  EXPECT_EQ(cumulative_product(Tensor<float>{7}, {.exclusive = true}), (Tensor<float>{1}));
}

TEST(Cumulative, ANaNStays) {
  const auto y = cumulative_max(Tensor<float>{1, NAN, 3});
  EXPECT_EQ(y[{0}], 1);
  EXPECT_TRUE(std::isnan(y[{1}]) && std::isnan(y[{2}]));
  const auto z = cumulative_log_sum_exp(Tensor<float>{1, NAN, 3});
  EXPECT_TRUE(std::isnan(z[{1}]) && std::isnan(z[{2}]));
}

// log(e^1000 + e^1000) = 1000 + log 2, although e^1000 is not a number of any type here.
TEST(Cumulative, LogarithmsOfSumsDoNotOverflow) {
  EXPECT_TRUE(
      all_close(cumulative_log_sum_exp(Tensor<double>{-1000, -infinity, 1000, 1000, 0}),
                Tensor<double>{-1000, -1000, 1000, 1000 + std::log(2.0), 1000 + std::log(2.0)},
                {.relative = 1e-15, .absolute = 0}));
  EXPECT_EQ(cumulative_log_sum_exp(Tensor<double>{-infinity, infinity, infinity, 3}),
            (Tensor<double>{-infinity, infinity, infinity, infinity}));
}

// y = (x0, x0 x1, x0 x1 x2) with x = (2, 0, 3): by hand dx0 = 1 + 0 + 0, dx1 = 2 + 2 * 3, dx2 = 0.
TEST(CumulativeProduct, ItsGradientIsRightWhereFactorsAreZero) {
  const auto where = std::source_location::current();
  const Tensor<double> ones{1, 1, 1};
  EXPECT_EQ(cumulative_product_vjp(Tensor<double>{2, 0, 3}, {}, where).pullback(ones),
            (Tensor<double>{1, 8, 0}));
  EXPECT_EQ(cumulative_product_vjp(Tensor<double>{0, 0, 3}, {}, where).pullback(ones),
            (Tensor<double>{1, 0, 0}));
}

TEST(CumulativeMax, ItsGradientGoesToTheFirstOfEqualOnes) {
  const auto where = std::source_location::current();
  EXPECT_EQ(cumulative_max_vjp(Tensor<double>{2, 1, 2, 3, 3}, {}, where)
                .pullback(Tensor<double>{1, 10, 100, 1000, 10000}),
            (Tensor<double>{111, 0, 0, 11000, 0}));
}

TEST(CumulativeLogSumExp, ItsGradientIsFiniteAtMinusInfinity) {
  const auto where = std::source_location::current();
  EXPECT_EQ(cumulative_log_sum_exp_vjp(Tensor<double>{-infinity, 1000, -1000}, {}, where)
                .pullback(Tensor<double>{1, 1, 1}),
            (Tensor<double>{0, 2, 0}));
}

TEST(LinearRecurrence, BeginsWithTheFirstTerm) {
  const Tensor<double> a{5, 2, 3};
  const Tensor<double> b{1, 10, 100};
  EXPECT_EQ(linear_recurrence(a, b), (Tensor<double>{1, 12, 136}));
  EXPECT_EQ(linear_recurrence(a, b, {.reverse = true}), (Tensor<double>{1051, 210, 100}));
  EXPECT_EQ(linear_recurrence(Tensor<double>{NAN, 0}, Tensor<double>{1, 2}), (Tensor<double>{1, 2}))
      << "the first factor is not read";
}

TEST(Cumulative, SumsAndProductsOfIntegersHave64Bits) {
  for (const Device device : {Device::naive(), Device::cpu(), Device::lazy()}) {
    const Tensor<std::int8_t> steps({3}, {100, 100, 50}, device);
    EXPECT_EQ(cumulative_sum(steps), Tensor<std::int64_t>({3}, {100, 200, 250}, device));
    EXPECT_EQ(cumulative_sum(steps, {.exclusive = true, .reverse = true}),
              Tensor<std::int64_t>({3}, {150, 50, 0}, device));
    EXPECT_EQ(cumulative_product(steps), Tensor<std::int64_t>({3}, {100, 10000, 500000}, device));
    EXPECT_EQ(cumulative_sum(Tensor<bool>({3}, {true, false, true}, device)),
              Tensor<std::int64_t>({3}, {1, 1, 2}, device));
    EXPECT_EQ(cumulative_sum(Tensor<std::uint8_t>({2}, {255, 255}, device)),
              Tensor<std::uint64_t>({2}, {255, 510}, device));
  }
}

TEST(Cumulative, RejectsWhatDoesNotFit) {
  const auto x = zeros<float>({2, 3});
  EXPECT_EQ(thrown<UsageError>([&] { (void)cumulative_sum(x, {.axis = 2}); }),
            "cumulative_sum: axis 2 is not in [-2, 2); shape [2, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)cumulative_max(Tensor<float>(1)); }),
            "cumulative_max: axis -1 is not in [0, 0); shape [] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)linear_recurrence(x, zeros<float>({2})); }),
            "linear_recurrence: factors and terms differ in shape; shapes [2, 3] and [2] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)linear_recurrence(x, x, {.exclusive = true}); }),
            "linear_recurrence: it is never exclusive; shape [2, 3] (here)");
}

}  // namespace cumulative_test
}  // namespace ddx
