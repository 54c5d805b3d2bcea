// Pooling over one, two and three axes: recordings of PyTorch, and what does not fit.

#include "ddx/tensor/pooling.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_windows.h"
#include "tests/support/thrown.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <source_location>
#include <vector>

namespace ddx {
namespace {

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

}  // namespace
}  // namespace ddx
