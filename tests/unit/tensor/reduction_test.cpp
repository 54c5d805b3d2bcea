#include "ddx/tensor/reduction.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/closeness.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cmath>
#include <concepts>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <source_location>

namespace ddx {
namespace reduction_test {

using testing::thrown;

const Tensor<float> matrix{{1, 2, 3}, {4, 5, 6}};

TEST(Reduction, ReducesAllOrSomeAxes) {
  EXPECT_EQ(sum(matrix).item(), 21);
  EXPECT_EQ(sum(matrix, {.axes = {0}}), (Tensor<float>{5, 7, 9}));
  EXPECT_EQ(mean(matrix, {.axes = {-1}, .keep_dims = true}), (Tensor<float>{{2}, {5}}));
  EXPECT_EQ(max(matrix, {.axes = {1}}), (Tensor<float>{3, 6}));
  EXPECT_EQ(min(matrix, {.keep_dims = true}), Tensor<float>({1, 1}, {1}));
  EXPECT_EQ(argmax(matrix), (Tensor<std::int32_t>{2, 2}));
  EXPECT_EQ(argmax(matrix, 0), (Tensor<std::int32_t>{1, 1, 1}));
}

TEST(Reduction, SumsAreKeptInDouble) {
  // In float, 2^24 + 1 is 2^24: a million ones after it would vanish.
  auto x = ones<float>({1000001}, Device::naive());
  x.set({0}, 16777216);
  EXPECT_EQ(sum(x).item(), 17777216);
  EXPECT_NEAR(sum(x.to(Device::cpu())).item(), 17777216, 256);
}

TEST(Reduction, OverNothing) {
  const auto empty = zeros<float>({0, 3});
  EXPECT_EQ(sum(empty, {.axes = {0}}), (Tensor<float>{0, 0, 0}));
  EXPECT_TRUE(std::isnan(mean(empty).item()));
  EXPECT_EQ(max(empty, {.axes = {1}}).shape(), (Shape{0}));
  EXPECT_EQ(thrown<UsageError>([&] { (void)max(empty); }),
            "max: there is no element to choose from; shape [0, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)min(empty, {.axes = {0}}); }),
            "min: there is no element to choose from; shape [0, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)argmax(empty, 0); }),
            "argmax: there is no element to choose from on axis 0; shape [0, 3] (here)");
}

TEST(Reduction, ANaNWins) {
  const Tensor<float> x{1, NAN, 3};
  EXPECT_TRUE(std::isnan(max(x).item()));
  EXPECT_TRUE(std::isnan(min(x).item()));
  EXPECT_EQ(argmax(x).item(), 1);
  EXPECT_EQ(argmax(Tensor<float>{NAN, NAN}).item(), 0);
}

TEST(Reduction, Products) {
  EXPECT_EQ(product(matrix, {.axes = {1}}), (Tensor<float>{6, 120}));
  EXPECT_EQ(product(zeros<float>({0, 2}), {.axes = {0}}), (Tensor<float>{1, 1}));
  EXPECT_EQ(product(Tensor<std::int32_t>{-3, 5}).item(), -15);
  EXPECT_EQ(product(Tensor<std::uint8_t>{20, 20}).item(), 400);
}

// Each element's slope is the product of the others: of (2, 0, 5) that is (0, 10, 0), of two zeros
// nothing, and of (1e-200, 1e-200, 5), whose product is 0, still 5e-200 each.
TEST(Reduction, TheGradientOfAProductIsRightWhereFactorsAreZero) {
  const auto where = std::source_location::current();
  const auto slopes = [&](const Tensor<double>& x) {
    return product_vjp(x, {}, where).pullback(Tensor<double>(1));
  };
  EXPECT_EQ(slopes(Tensor<double>{2, 0, 5}), (Tensor<double>{0, 10, 0}));
  EXPECT_EQ(slopes(Tensor<double>{{0, 0}, {2, 5}}), (Tensor<double>{{0, 0}, {0, 0}}));
  EXPECT_EQ(slopes(Tensor<double>{1e-200, 1e-200, 5}), (Tensor<double>{5e-200, 5e-200, 0}));
  EXPECT_EQ(slopes(Tensor<double>(3)), Tensor<double>(1));
  const Tensor<double> table{{1, 0, 3}, {4, 5, 6}};
  EXPECT_EQ(product_vjp(table, {.axes = {0}}, where).pullback(Tensor<double>{1, 1, 10}),
            (Tensor<double>{{4, 5, 60}, {1, 0, 30}}));
  EXPECT_EQ(product_vjp(table, {.axes = {1}, .keep_dims = true}, where)
                .pullback(Tensor<double>({2, 1}, {1, 10})),
            (Tensor<double>{{0, 3, 0}, {300, 240, 200}}));
}

TEST(Reduction, LogarithmsOfSumsDoNotOverflow) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const Device device : {Device::naive(), Device::cpu()}) {
    const auto x = Tensor<double>{{1000, 1000}, {-1000, -1000}, {-infinity, 3}, {0, infinity}};
    const auto y = log_sum_exp(x.to(device), {.axes = {1}});
    EXPECT_TRUE(all_close(y,
                          Tensor<double>{1000 + std::log(2.0), -1000 + std::log(2.0), 3, infinity},
                          {.relative = 1e-15, .absolute = 0}))
        << to_string(device);
    EXPECT_TRUE(std::isnan(log_sum_exp(Tensor<double>{1, NAN}.to(device)).item()));
    EXPECT_EQ(log_sum_exp(zeros<double>({0}, device)).item(), -infinity);
    EXPECT_EQ(log_sum_exp(Tensor<double>{-infinity, -infinity}.to(device)).item(), -infinity);
  }
  const auto where = std::source_location::current();
  EXPECT_EQ(
      log_sum_exp_vjp(Tensor<double>{1e17, 1e17, -infinity}, {}, where).pullback(Tensor<double>(4)),
      (Tensor<double>{2, 2, 0}));
  EXPECT_EQ(log_sum_exp_vjp(Tensor<double>{-infinity}, {}, where).pullback(Tensor<double>(4)),
            (Tensor<double>{0}));
}

TEST(Reduction, OfTruth) {
  const Tensor<bool> x{{true, false}, {true, true}};
  EXPECT_EQ(all(x, {.axes = {1}}), (Tensor<bool>{false, true}));
  EXPECT_EQ(any(x, {.axes = {0}, .keep_dims = true}), (Tensor<bool>{{true, true}}));
  EXPECT_FALSE(all(x).item());
  EXPECT_TRUE(any(x).item());
  EXPECT_TRUE(all(zeros<bool>({0})).item());
  EXPECT_FALSE(any(zeros<bool>({0})).item());
  EXPECT_EQ(thrown<UsageError>([&] { (void)all(x, {.axes = {2}}); }),
            "all: axis 2 is not in [-2, 2); shape [2, 2] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)any(x, {.axes = {0, 0}}); }),
            "any: axes [0, 0] name axis 0 twice; shape [2, 2] (here)");
}

TEST(Reduction, TheSmallestIsTheFirstOfEqualOnes) {
  EXPECT_EQ(argmin(Tensor<float>{{3, 1, 1}, {0, 2, 0}}), (Tensor<std::int32_t>{1, 0}));
  EXPECT_EQ(argmin(matrix, 0), (Tensor<std::int32_t>{0, 0, 0}));
  EXPECT_EQ(argmin(Tensor<float>{1, NAN, 0}).item(), 1) << "a NaN wins";
  EXPECT_EQ(thrown<UsageError>([] { (void)argmin(zeros<float>({0, 3}), 0); }),
            "argmin: there is no element to choose from on axis 0; shape [0, 3] (here)");
}

TEST(Reduction, SumsAndProductsOfIntegersHave64Bits) {
  for (const Device device : {Device::naive(), Device::cpu(), Device::lazy()}) {
    const Tensor<std::uint8_t> bytes({3}, {200, 100, 50}, device);
    const Tensor<std::int16_t> shorts({2, 2}, {-30000, -30000, 300, 300}, device);
    const Tensor<bool> mask({2, 2}, {true, false, true, true}, device);
    static_assert(std::same_as<decltype(sum(bytes)), Tensor<std::uint64_t>>);
    EXPECT_EQ(sum(bytes).item(), 350U);
    EXPECT_EQ(product(bytes).item(), 1000000U);
    EXPECT_EQ(sum(shorts, {.axes = {1}}), Tensor<std::int64_t>({2}, {-60000, 600}, device));
    EXPECT_EQ(product(shorts, {.axes = {0}}),
              Tensor<std::int64_t>({2}, {-9000000, -9000000}, device));
    EXPECT_EQ(sum(mask).item(), 3);
    EXPECT_EQ(sum(mask, {.axes = {0}}), Tensor<std::int64_t>({2}, {2, 1}, device));
    EXPECT_EQ(product(mask).item(), 0);
    EXPECT_EQ(sum(Tensor<std::int32_t>({2}, {2000000000, 2000000000}, device)).item(), 4000000000);
  }
}

TEST(Reduction, RejectsAxesThatAreNotThere) {
  EXPECT_EQ(thrown<UsageError>([] { (void)sum(matrix, {.axes = {2}}); }),
            "sum: axis 2 is not in [-2, 2); shape [2, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)mean(matrix, {.axes = {1, -1}}); }),
            "mean: axes [1, -1] name axis 1 twice; shape [2, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)argmax(matrix, -3); }),
            "argmax: axis -3 is not in [-2, 2); shape [2, 3] (here)");
}

TEST(Reduction, TheGradientOfAnExtremeIsSharedAmongEquals) {
  const Tensor<double> x{{1, 3, 3}, {2, 0, 1}};
  const auto where = std::source_location::current();
  EXPECT_EQ(max_vjp(x, {.axes = {1}}, where).pullback(Tensor<double>{1, 10}),
            (Tensor<double>{{0, 0.5, 0.5}, {10, 0, 0}}));
  EXPECT_EQ(min_vjp(x, {}, where).pullback(Tensor<double>(3)),
            (Tensor<double>{{0, 0, 0}, {0, 3, 0}}));
}

}  // namespace reduction_test
}  // namespace ddx
