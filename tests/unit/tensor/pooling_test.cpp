// Pooling over one, two and three axes: recordings of PyTorch, and what does not fit.

#include "ddx/tensor/pooling.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_windows.h"
#include "tests/support/thrown.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <source_location>
#include <vector>

namespace ddx {
namespace pooling_test {

using testing::expect_in;
using testing::extents_in;
using testing::numbers;
using testing::shape_in;
using testing::thrown;
using Doubles = Tensor<double>;

template <std::size_t axes>
PoolOptions<axes> options_in(const nlohmann::json& row) {
  return {.size = extents_in<axes>(row, "size"),
          .strides = extents_in<axes>(row, "strides"),
          .padding = testing::padding_in(row)};
}

template <std::size_t axes>
void expect_recorded(const nlohmann::json& row, const Doubles& x, const Doubles& y) {
  EXPECT_EQ(y.shape(), shape_in(row, "y_shape"));
  expect_in(row, "y", y);
  const auto motion = detail::motion_of("pool", options_in<axes>(row));
  const auto dy = numbers(y.shape(), 50);
  const std::source_location where;
  if (row["kind"] == "max") {
    expect_in(row, "dx", detail::max_pool_vjp(x, motion, where).pullback(dy));
  } else {
    expect_in(row, "dx", detail::avg_pool_vjp(x, motion, where).pullback(dy));
  }
}

TEST(Pooling, GivesTheValuesAndGradientsThatWereRecorded) {
  const auto rows = testing::recorded_windows("pooling");
  ASSERT_EQ(rows.size(), 14U);
  for (const auto& row : rows) {
    const Doubles x = numbers(shape_in(row, "x"), 1);
    const bool is_max = row["kind"] == "max";
    switch (x.rank()) {
      case 3: {
        const auto options = options_in<1>(row);
        expect_recorded<1>(row, x, is_max ? max_pool1d(x, options) : avg_pool1d(x, options));
        break;
      }
      case 4: {
        const auto options = options_in<2>(row);
        expect_recorded<2>(row, x, is_max ? max_pool2d(x, options) : avg_pool2d(x, options));
        break;
      }
      default: {
        const auto options = options_in<3>(row);
        expect_recorded<3>(row, x, is_max ? max_pool3d(x, options) : avg_pool3d(x, options));
      }
    }
  }
}

TEST(Pooling, WindowsTouchUnlessStridesAreGiven) {
  const Tensor<float> x({1, 5, 1}, {1, 5, 2, 3, 9});
  EXPECT_EQ(max_pool1d(x).values(), (std::vector<float>{5, 3}));
  EXPECT_EQ(avg_pool1d(x, {.padding = Padding::Same}).values(), (std::vector<float>{3, 2.5F, 9}));
  EXPECT_EQ(max_pool3d(zeros<float>({0, 4, 2, 2, 3})).shape(), (Shape{0, 2, 1, 1, 3}));
}

TEST(Pooling, TheGradientOfAnAverageIsLinear) {
  const Doubles dy = numbers({1, 2, 1}, 3);
  const auto motion = detail::motion_of("avg_pool1d", Pool1DOptions{});
  const auto dx = numbers({1, 4, 1}, 7);
  EXPECT_EQ(detail::avg_pool_gradient_vjp(dy, {1, 4, 1}, motion).pullback(dx), avg_pool1d(dx));
}

TEST(Pooling, NamesWhatDoesNotFit) {
  const auto x = zeros<float>({1, 3, 2});
  EXPECT_EQ(thrown<UsageError>([&] { (void)max_pool1d(x, {.size = {4}}); }),
            "max_pool1d: extent 3 with padding 0 is smaller than the window, 4; shape [1, 3, 2] "
            "(here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)avg_pool3d(x); }),
            "avg_pool3d: rank 3 is not 5; shape [1, 3, 2] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)max_pool1d(x, {.padding = Padding::amounts(2, 0)}); }),
            "max_pool1d: padding [2, 0] reaches the size of the window, [2]; shape [1, 3, 2] "
            "(here)");
  EXPECT_EQ(
      thrown<UsageError>([&] { (void)max_pool1d(x, {.padding = Padding::amounts(1, 0, 1, 0)}); }),
      "max_pool1d: padding is given for 2 axes, the window moves over 1 (here)");
}

TEST(Pooling, AWindowMayHaveMoreElementsThanAFloatCounts) {
  // 16810000 elements; after 2^24 the float of a number is that of its neighbour.
  constexpr std::int64_t side = 4100;
  constexpr std::int64_t largest = std::int64_t{1} << 24;
  auto x = zeros<float>({1, side, side, 1});
  x.set({0, largest / side, largest % side, 0}, 1);
  const detail::WindowMotion motion =
      detail::motion_of("pool", Pool2DOptions{.size = {side, side}});
  const Tensor<float> dx(
      detail::max_pool_gradient(x.array(), ones<float>({1, 1, 1, 1}).array(), motion));
  EXPECT_EQ((dx[{0, largest / side, largest % side, 0}]), 1);
  EXPECT_EQ(sum(dx).item(), 1);
}

TEST(Pooling, RejectsWindowsOfPaddingAlone) {
  const auto nothing = zeros<float>({1, 0, 1});
  const Pool1DOptions options{.size = {3}, .strides = {1}, .padding = Padding::amounts(2, 2)};
  EXPECT_EQ(thrown<UsageError>([&] { (void)max_pool1d(nothing, options); }),
            "max_pool1d: there is no element to choose from; shape [1, 0, 1] (here)");
  EXPECT_EQ(max_pool1d(zeros<float>({0, 4, 1}), options).shape(), (Shape{0, 6, 1}));
}

TEST(Pooling, CostsNoMoreThanTheElementsOfTheInput) {
  // Windows of 2^40 by 2^18 places, each of which sees all 12 elements.
  constexpr Extent2D size{std::int64_t{1} << 40, std::int64_t{1} << 18};
  const Tensor<float> x({1, 3, 4, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  const Pool2DOptions options{.size = size, .strides = {1, 1}, .padding = Padding::Same};
  for (const Device device : {Device::cpu(), Device::naive(), Device::lazy()}) {
    EXPECT_EQ(avg_pool2d(x.to(device), options).values(), std::vector<float>(12, 6.5F));
    EXPECT_EQ(max_pool2d(x.to(device), options).values(), std::vector<float>(12, 12.0F));
  }
  const detail::WindowMotion motion = detail::motion_of("pool", options);
  const Tensor<float> ones({1, 3, 4, 1}, std::vector<float>(12, 1.0F));
  for (const Device device : {Device::cpu(), Device::naive(), Device::lazy()}) {
    const auto x_there = x.to(device);
    const auto dy = ones.to(device);
    const Tensor<float> of_max(detail::max_pool_gradient(x_there.array(), dy.array(), motion));
    EXPECT_EQ(of_max.values(), (std::vector<float>{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12}));
    const Tensor<float> of_mean(detail::avg_pool_gradient(dy.array(), x.shape(), motion));
    for (const float share : of_mean.values()) {
      EXPECT_NEAR(share, 1.0F, 1e-6F);
    }
  }
}

}  // namespace pooling_test
}  // namespace ddx
