// Convolutions that treat each channel for itself: hand-made examples, and what does not fit. The
// convolution with groups that they stand on is compared with PyTorch in convolution_test.cpp.

#include "ddx/tensor/depthwise_convolution.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <gtest/gtest.h>
#include <vector>

namespace ddx {
namespace depthwise_convolution_test {

using testing::thrown;

// Two pixels with channels 1, 10 and 2, 20.
const Tensor<float> x({1, 1, 2, 2}, {1, 10, 2, 20});

TEST(DepthwiseConvolution, PutsTheResultsOfAChannelBesideEachOther) {
  // filter[0, 0] = [[1, 2, 3], [4, 5, 6]], filter[0, 1] = [[7, 8, 9], [1, 1, 1]]: channel 0 gives
  // 1 + 2 7, 2 + 2 8, 3 + 2 9, channel 1 gives 40 + 20, 50 + 20, 60 + 20.
  const Tensor<float> filter({1, 2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 1, 1});
  EXPECT_EQ(depthwise_conv2d(x, filter), (Tensor<float>({1, 1, 1, 6}, {15, 18, 21, 60, 70, 80})));
}

TEST(DepthwiseConvolution, OfASignalIsThatOfAnImageOfOneRow) {
  const Tensor<float> filter({2, 1, 2}, {1, 2, 3, 4});
  const Tensor<float> signal({1, 4, 1}, {1, 10, 100, 1000});
  EXPECT_EQ(depthwise_conv1d(signal, filter, {.dilations = {2}}),
            (Tensor<float>({1, 2, 2}, {301, 402, 3010, 4020})));
}

TEST(SeparableConvolution, CombinesTheChannelsAfterwards) {
  const Tensor<float> depthwise({1, 2, 2, 1}, {1, 2, 3, 4});
  const Tensor<float> pointwise({1, 1, 2, 2}, {1, 0, 1, -1});
  // 1 + 3 2 = 7 and 2 10 + 4 20 = 100: [7 + 100, -100]
  EXPECT_EQ(separable_conv2d(x, depthwise, pointwise), (Tensor<float>({1, 1, 1, 2}, {107, -100})));
  const Tensor<float> signal({1, 2, 2}, {1, 10, 2, 20});
  EXPECT_EQ(separable_conv1d(signal, Tensor<float>({2, 2, 1}, {1, 2, 3, 4}),
                             Tensor<float>({1, 2, 2}, {1, 0, 1, -1})),
            (Tensor<float>({1, 1, 2}, {107, -100})));
}

TEST(DepthwiseConvolution, NamesWhatDoesNotFit) {
  EXPECT_EQ(thrown<UsageError>([&] { (void)depthwise_conv2d(x, zeros<float>({1, 1, 3, 2})); }),
            "depthwise_conv2d: channels 2 and 3 differ; shapes [1, 1, 2, 2] and [1, 1, 3, 2] "
            "(here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)depthwise_conv2d(x, zeros<float>({1, 2, 2})); }),
            "depthwise_conv2d: ranks 4 and 3 are not both 4; shapes [1, 1, 2, 2] and [1, 2, 2] "
            "(here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)depthwise_conv2d(x, zeros<float>({2, 1, 2, 1})); }),
            "depthwise_conv2d: extent 1 with padding 0 is smaller than the window, 2; shapes [1, "
            "1, 2, 2] and [2, 1, 1, 2] (here)");
}

}  // namespace depthwise_convolution_test
}  // namespace ddx
