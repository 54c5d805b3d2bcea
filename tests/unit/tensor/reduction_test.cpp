#include "ddx/tensor/reduction.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <source_location>

namespace ddx {
namespace {

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

}  // namespace
}  // namespace ddx
