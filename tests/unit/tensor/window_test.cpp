// Convolution and pooling: the values of a hand-made example, and every error by its text.

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/convolution.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/pooling.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace ddx {
namespace window_test {

using testing::thrown;

const Tensor<float> image({1, 3, 3, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9});

TEST(Conv2D, DoesNotMirrorTheFilter) {
  const Tensor<float> filter({2, 2, 1, 1}, {1, 0, 0, 10});
  EXPECT_EQ(conv2d(image, filter).values(), (std::vector<float>{51, 62, 84, 95}));
}

TEST(Conv2D, SamePaddingPutsTheLargerHalfLast) {
  const Tensor<float> filter({2, 2, 1, 1}, {1, 1, 1, 1});
  const auto y = conv2d(image, filter, {.padding = Padding::Same});
  EXPECT_EQ(y.values(), (std::vector<float>{12, 16, 9, 24, 28, 15, 15, 17, 9}));
  EXPECT_EQ(conv2d(image, filter, {.strides = {2, 2}, .padding = Padding::Same}).shape(),
            (Shape{1, 2, 2, 1}));
}

TEST(Conv2D, NamesWhatDoesNotFit) {
  const auto x = zeros<float>({1, 4, 5, 3});
  EXPECT_EQ(thrown<UsageError>([&] { (void)conv2d(x, zeros<float>({3, 3, 2, 8})); }),
            "conv2d: channels 3 and 2 differ; shapes [1, 4, 5, 3] and [3, 3, 2, 8] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)conv2d(x, zeros<float>({3, 3, 2})); }),
            "conv2d: ranks 4 and 3 are not both 4; shapes [1, 4, 5, 3] and [3, 3, 2] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)conv2d(x, zeros<float>({5, 3, 3, 8})); }),
            "conv2d: extent 4 with padding 0 is smaller than the window, 5; shapes [1, 4, 5, 3] "
            "and [5, 3, 3, 8] (here)");
  EXPECT_EQ(
      thrown<UsageError>([&] { (void)conv2d(x, zeros<float>({3, 3, 3, 8}), {.strides = {1, 0}}); }),
      "conv2d: strides [1, 0] are not positive; shapes [1, 4, 5, 3] and [3, 3, 3, 8] (here)");
  EXPECT_EQ(thrown<UsageError>([&] {
              (void)conv2d(x, zeros<float>({3, 3, 3, 8}),
                           {.padding = Padding::amounts(1, 1, -1, 0)});
            }),
            "conv2d: padding [1, 1] and [-1, 0] is negative; shapes [1, 4, 5, 3] and [3, 3, 3, 8] "
            "(here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)conv2d(x, zeros<float>({0, 3, 3, 8})); }),
            "conv2d: window [0, 3] is not positive; shapes [1, 4, 5, 3] and [0, 3, 3, 8] (here)");
}

TEST(Pool2D, WindowsTouchUnlessStridesAreGiven) {
  const auto x = reshape(iota<float>(16), {1, 4, 4, 1});
  EXPECT_EQ(avg_pool2d(x).values(), (std::vector<float>{2.5, 4.5, 10.5, 12.5}));
  EXPECT_EQ(max_pool2d(x).values(), (std::vector<float>{5, 7, 13, 15}));
  EXPECT_EQ(max_pool2d(x, {.size = {4, 2}, .strides = {1, 1}}).values(),
            (std::vector<float>{13, 14, 15}));
}

TEST(Pool2D, PaddingDoesNotCount) {
  const Pool2DOptions options{.size = {2, 2}, .padding = Padding::Same};
  EXPECT_EQ(avg_pool2d(image, options).values(), (std::vector<float>{3, 4.5, 7.5, 9}));
  EXPECT_EQ(max_pool2d(image * -1, options).values(), (std::vector<float>{-1, -3, -7, -9}));
}

TEST(Pool2D, ANaNWins) {
  const Tensor<float> x({1, 2, 2, 1}, {1, NAN, 3, 4});
  EXPECT_TRUE(std::isnan(max_pool2d(x).item()));
}

TEST(Pool2D, NamesWhatDoesNotFit) {
  const auto x = zeros<float>({1, 4, 5, 3});
  EXPECT_EQ(thrown<UsageError>([&] { (void)avg_pool2d(zeros<float>({4, 5})); }),
            "avg_pool2d: rank 2 is not 4; shape [4, 5] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)max_pool2d(x, {.size = {5, 2}}); }),
            "max_pool2d: extent 4 with padding 0 is smaller than the window, 5; shape [1, 4, 5, 3] "
            "(here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)max_pool2d(x, {.size = {0, 2}}); }),
            "max_pool2d: window [0, 2] is not positive; shape [1, 4, 5, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)max_pool2d(x, {.strides = {1, -1}}); }),
            "max_pool2d: strides [1, -1] are not positive; shape [1, 4, 5, 3] (here)");
  EXPECT_EQ(
      thrown<UsageError>([&] { (void)max_pool2d(x, {.padding = Padding::amounts(-1, 0, 0, 0)}); }),
      "max_pool2d: padding [-1, 0] and [0, 0] is negative; shape [1, 4, 5, 3] (here)");
  EXPECT_EQ(
      thrown<UsageError>([&] { (void)max_pool2d(x, {.padding = Padding::amounts(0, 2, 0, 0)}); }),
      "max_pool2d: padding [0, 2] and [0, 0] reaches the size of the window, [2, 2]; shape [1, 4, "
      "5, 3] (here)");
}

}  // namespace window_test
}  // namespace ddx
