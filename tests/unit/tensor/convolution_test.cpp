// Convolutions over one, two and three axes: recordings of PyTorch, and what does not fit.

#include "ddx/tensor/convolution.h"

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
#include <tuple>
#include <vector>

namespace ddx {
namespace convolution_test {

using testing::expect_in;
using testing::extents_in;
using testing::numbers;
using testing::shape_in;
using testing::thrown;
using Doubles = Tensor<double>;

template <std::size_t axes>
ConvolutionOptions<axes> options_in(const nlohmann::json& row) {
  return {.strides = extents_in<axes>(row, "strides"),
          .padding = testing::padding_in(row),
          .dilations = extents_in<axes>(row, "dilations"),
          .groups = row["groups"]};
}

/// The convolution of a row, by its number of axes.
Doubles convolved(const nlohmann::json& row, const Doubles& x, const Doubles& filter) {
  switch (x.rank()) {
    case 3:
      return conv1d(x, filter, options_in<1>(row));
    case 4:
      return conv2d(x, filter, options_in<2>(row));
    default:
      return conv3d(x, filter, options_in<3>(row));
  }
}

detail::WindowMotion motion_in(const nlohmann::json& row, std::size_t rank) {
  switch (rank) {
    case 3:
      return detail::motion_of("conv1d", options_in<1>(row));
    case 4:
      return detail::motion_of("conv2d", options_in<2>(row));
    default:
      return detail::motion_of("conv3d", options_in<3>(row));
  }
}

TEST(Convolution, GivesTheValuesAndGradientsThatWereRecorded) {
  const auto rows = testing::recorded_windows("convolution");
  ASSERT_EQ(rows.size(), 8U);
  for (const auto& row : rows) {
    const Doubles x = numbers(shape_in(row, "x"), 1);
    const Doubles filter = numbers(shape_in(row, "filter"), 30);
    const Doubles y = convolved(row, x, filter);
    ASSERT_EQ(y.shape(), shape_in(row, "y_shape"));
    expect_in(row, "y", y);
    const auto [value, pullback] =
        detail::convolution_vjp(x, filter, motion_in(row, x.rank()), std::source_location());
    const auto [dx, dfilter] = pullback(numbers(y.shape(), 50), Wanted<2>::all());
    expect_in(row, "dx", dx);
    expect_in(row, "dfilter", dfilter);
  }
}

TEST(Convolution, GivesTheSecondDerivativesThatWereRecorded) {
  for (const auto& row : testing::recorded_windows("convolution")) {
    const Doubles x = numbers(shape_in(row, "x"), 1);
    const Doubles filter = numbers(shape_in(row, "filter"), 30);
    const Doubles dy = numbers(shape_in(row, "y_shape"), 50);
    const detail::WindowMotion motion = motion_in(row, x.rank());
    const auto [dx, of_dx] = detail::convolution_input_gradient_vjp(dy, filter, x.shape(), motion,
                                                                    std::source_location());
    expect_in(row, "dfilter_of_dx",
              std::get<1>(of_dx(numbers(x.shape(), 60), Wanted<2>(false, true))));
    const auto [dfilter, of_dfilter] =
        detail::convolution_filter_gradient_vjp(x, dy, filter.shape(), motion);
    expect_in(row, "dx_of_dfilter",
              std::get<0>(of_dfilter(numbers(filter.shape(), 70), Wanted<2>(true, false))));
  }
}

TEST(Convolution, GroupsSeeTheirOwnChannelsAlone) {
  // Channels 1 and 10 make 2 and 3 of the first, 50 and 70 of the second.
  const Tensor<float> x({1, 1, 2}, {1, 10});
  const Tensor<float> filter({1, 1, 4}, {2, 3, 5, 7});
  EXPECT_EQ(conv1d(x, filter, {.groups = 2}).values(), (std::vector<float>{2, 3, 50, 70}));
}

TEST(Convolution, DilationLeavesElementsOut) {
  const Tensor<float> x({1, 6, 1}, {1, 2, 3, 4, 5, 6});
  const Tensor<float> filter({2, 1, 1}, {10, 1});
  EXPECT_EQ(conv1d(x, filter, {.dilations = {3}}).values(), (std::vector<float>{14, 25, 36}));
  EXPECT_EQ(conv1d(x, filter, {.padding = Padding::Same, .dilations = {3}}).shape(),
            (Shape{1, 6, 1}));
  EXPECT_EQ(conv1d(x, filter, {.strides = {4}}).values(), (std::vector<float>{12, 56}))
      << "steps longer than the filter";
}

TEST(Convolution, OfNoSampleIsEmpty) {
  EXPECT_EQ(conv1d(zeros<float>({0, 5, 2}), zeros<float>({3, 2, 4})).shape(), (Shape{0, 3, 4}));
  EXPECT_EQ(
      conv3d(zeros<float>({0, 2, 2, 2, 2}), zeros<float>({2, 1, 2, 1, 4}), {.groups = 2}).shape(),
      (Shape{0, 1, 2, 1, 4}));
}

TEST(Convolution, NamesWhatDoesNotFit) {
  const auto signal = zeros<float>({1, 4, 3});
  const auto volume = zeros<float>({1, 4, 4, 4, 6});
  EXPECT_EQ(thrown<UsageError>([&] { (void)conv1d(signal, zeros<float>({5, 3, 8})); }),
            "conv1d: extent 4 with padding 0 is smaller than the window, 5; shapes [1, 4, 3] and "
            "[5, 3, 8] (here)");
  EXPECT_EQ(
      thrown<UsageError>(
          [&] { (void)conv1d(signal, zeros<float>({3, 3, 8}), {.dilations = {2}}); }),
      "conv1d: extent 4 with padding 0 is smaller than the window, 5; shapes [1, 4, 3] and [3, 3, "
      "8] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)conv1d(volume, zeros<float>({3, 6, 8})); }),
            "conv1d: ranks 5 and 3 are not both 3; shapes [1, 4, 4, 4, 6] and [3, 6, 8] (here)");
  EXPECT_EQ(thrown<UsageError>(
                [&] { (void)conv3d(volume, zeros<float>({1, 1, 1, 2, 8}), {.groups = 2}); }),
            "conv3d: channels 6 are not 2 groups of 2; shapes [1, 4, 4, 4, 6] and [1, 1, 1, 2, 8] "
            "(here)");
  EXPECT_EQ(thrown<UsageError>(
                [&] { (void)conv3d(volume, zeros<float>({1, 1, 1, 3, 7}), {.groups = 2}); }),
            "conv3d: filters 7 are no multiple of the groups, 2; shapes [1, 4, 4, 4, 6] and [1, 1, "
            "1, 3, 7] (here)");
  EXPECT_EQ(thrown<UsageError>(
                [&] { (void)conv3d(volume, zeros<float>({1, 1, 1, 6, 7}), {.groups = 0}); }),
            "conv3d: groups 0 are not positive; shapes [1, 4, 4, 4, 6] and [1, 1, 1, 6, 7] (here)");
  EXPECT_EQ(thrown<UsageError>([&] {
              (void)conv3d(volume, zeros<float>({1, 1, 1, 6, 7}), {.dilations = {1, 0, 1}});
            }),
            "conv3d: dilations [1, 0, 1] are not positive; shapes [1, 4, 4, 4, 6] and [1, 1, 1, 6, "
            "7] (here)");
  EXPECT_EQ(thrown<UsageError>([&] {
              (void)conv3d(volume, zeros<float>({1, 1, 1, 6, 7}),
                           {.padding = Padding::amounts(0, 0, 1, -1, 2, 2)});
            }),
            "conv3d: padding [0, 0], [1, -1] and [2, 2] is negative; shapes [1, 4, 4, 4, 6] and "
            "[1, 1, 1, 6, 7] (here)");
  EXPECT_EQ(thrown<UsageError>([&] {
              (void)conv1d(signal, zeros<float>({1, 3, 2}),
                           {.padding = Padding::amounts(1, 1, 1, 1)});
            }),
            "conv1d: padding is given for 2 axes, the window moves over 1 (here)");
}

}  // namespace convolution_test
}  // namespace ddx
