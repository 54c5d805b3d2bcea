// Transposed convolutions: recordings of PyTorch, and what does not fit.

#include "ddx/tensor/transposed_convolution.h"

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
namespace transposed_convolution_test {

using testing::expect_in;
using testing::extents_in;
using testing::numbers;
using testing::shape_in;
using testing::thrown;
using Doubles = Tensor<double>;

template <std::size_t axes>
TransposedConvolutionOptions<axes> options_in(const nlohmann::json& row) {
  return {.strides = extents_in<axes>(row, "strides"),
          .padding = testing::padding_in(row),
          .dilations = extents_in<axes>(row, "dilations"),
          .groups = row["groups"],
          .extents = extents_in<axes>(row, "extents")};
}

template <std::size_t axes>
void expect_recorded(const nlohmann::json& row, const Doubles& x, const Doubles& filter,
                     const Doubles& y) {
  expect_in(row, "y", y);
  EXPECT_EQ(y.shape(), shape_in(row, "y_shape"));
  const auto motion = detail::motion_of("transposed", options_in<axes>(row));
  const auto [value, pullback] =
      detail::convolution_input_gradient_vjp(x, filter, y.shape(), motion, std::source_location());
  const auto [dx, dfilter] = pullback(numbers(y.shape(), 50), Wanted<2>::all());
  expect_in(row, "dx", dx);
  expect_in(row, "dfilter", dfilter);
}

TEST(TransposedConvolution, GivesTheValuesAndGradientsThatWereRecorded) {
  const auto rows = testing::recorded_windows("transposed");
  ASSERT_EQ(rows.size(), 5U);
  for (const auto& row : rows) {
    const Doubles x = numbers(shape_in(row, "x"), 1);
    const Doubles filter = numbers(shape_in(row, "filter"), 30);
    switch (x.rank()) {
      case 3:
        expect_recorded<1>(row, x, filter, transposed_conv1d(x, filter, options_in<1>(row)));
        break;
      case 4:
        expect_recorded<2>(row, x, filter, transposed_conv2d(x, filter, options_in<2>(row)));
        break;
      default:
        expect_recorded<3>(row, x, filter, transposed_conv3d(x, filter, options_in<3>(row)));
    }
  }
}

TEST(TransposedConvolution, PutsMultiplesOfTheFilterIntoTheResult) {
  const Tensor<float> x({1, 2, 1}, {1, 10});
  const Tensor<float> filter({3, 1, 1}, {1, 2, 3});
  EXPECT_EQ(transposed_conv1d(x, filter).values(), (std::vector<float>{1, 12, 23, 30}));
  EXPECT_EQ(transposed_conv1d(x, filter, {.strides = {2}}).values(),
            (std::vector<float>{1, 2, 13, 20, 30}));
}

TEST(TransposedConvolution, SamePaddingGivesMultiplesOfTheStride) {
  const Tensor<float> x({1, 2, 1}, {1, 10});
  const Tensor<float> filter({3, 1, 1}, {1, 2, 3});
  // Of the 3 - 2 rows of padding of the convolution that gives 2 from 4, none comes first.
  EXPECT_EQ(transposed_conv1d(x, filter, {.strides = {2}, .padding = Padding::Same}).values(),
            (std::vector<float>{1, 2, 13, 20}));
  EXPECT_EQ(transposed_conv1d(x, filter, {.strides = {2}, .padding = Padding::Same, .extents = {3}})
                .values(),
            (std::vector<float>{2, 13, 20}))
      << "from 3, one row of padding comes on each side";
}

TEST(TransposedConvolution, OfNoSampleIsEmpty) {
  EXPECT_EQ(transposed_conv2d(zeros<float>({0, 2, 2, 3}), zeros<float>({2, 2, 5, 3})).shape(),
            (Shape{0, 3, 3, 5}));
}

TEST(TransposedConvolution, NamesWhatDoesNotFit) {
  const auto x = zeros<float>({1, 4, 5, 3});
  EXPECT_EQ(thrown<UsageError>([&] { (void)transposed_conv2d(x, zeros<float>({3, 3, 3, 2})); }),
            "transposed_conv2d: channels 3 and 2 differ; shapes [1, 4, 5, 3] and [3, 3, 3, 2] "
            "(here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)transposed_conv1d(x, zeros<float>({3, 3, 3, 2})); }),
            "transposed_conv1d: ranks 4 and 4 are not both 3; shapes [1, 4, 5, 3] and [3, 3, 3, 2] "
            "(here)");
  EXPECT_EQ(thrown<UsageError>([&] {
              (void)transposed_conv2d(x, zeros<float>({3, 3, 2, 3}), {.extents = {9, 0}});
            }),
            "transposed_conv2d: the convolution of shape [1, 9, 7, 2] gives shape [1, 7, 5, 3], "
            "not [1, 4, 5, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([&] {
              (void)transposed_conv2d(x, zeros<float>({1, 1, 2, 3}),
                                      {.padding = Padding::amounts(0, 0, 3, 3)});
            }),
            "transposed_conv2d: extent -1 of the result is negative; shapes [1, 4, 5, 3] and [1, "
            "1, 2, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([&] {
              (void)transposed_conv2d(x, zeros<float>({3, 3, 2, 3}), {.strides = {0, 1}});
            }),
            "transposed_conv2d: strides [0, 1] are not positive; shapes [1, 3, 7, 2] and [3, 3, 2, "
            "3] (here)");
}

}  // namespace transposed_convolution_test
}  // namespace ddx
