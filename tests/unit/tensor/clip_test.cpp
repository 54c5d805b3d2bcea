#include "ddx/tensor/clip.h"

#include "ddx/core/error.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>

namespace ddx {
namespace clip_test {

using testing::thrown;

TEST(Extremes, TakeNumbersOnEitherSide) {
  const Tensor<float> x{-1, 0.5, 3};
  EXPECT_EQ(maximum(x, 1), (Tensor<float>{1, 1, 3}));
  EXPECT_EQ(maximum(1, x), (Tensor<float>{1, 1, 3}));
  EXPECT_EQ(minimum(x, 1), (Tensor<float>{-1, 0.5, 1}));
  EXPECT_EQ(minimum(1, x), (Tensor<float>{-1, 0.5, 1}));
  EXPECT_TRUE(std::isnan(maximum(Tensor<float>(NAN), 1).item()));
}

TEST(Clip, TakesTensorsAndNumbers) {
  const Tensor<float> x{-5, 0, 5};
  const Tensor<float> low{-1, 1, -1};
  const Tensor<float> high{2, 2, 3};
  EXPECT_EQ(clip(x, low, high), (Tensor<float>{-1, 1, 3}));
  EXPECT_EQ(clip(x, -2, 4), (Tensor<float>{-2, 0, 4}));
  EXPECT_EQ(clip(x, low, 4), (Tensor<float>{-1, 1, 4}));
  EXPECT_EQ(clip(x, -2, high), (Tensor<float>{-2, 0, 3}));
  EXPECT_EQ(clip(x, 3, 1), (Tensor<float>{1, 1, 1})) << "bounds the wrong way round";
  EXPECT_EQ(clip(Tensor<std::int32_t>{-7, 7}, -1, 1), (Tensor<std::int32_t>{-1, 1}));
  EXPECT_TRUE(std::isnan(clip(Tensor<float>(NAN), -1, 1).item()));
  EXPECT_EQ(thrown<UsageError>([&] { (void)clip(x, low, Tensor<float>{1, 2}); }),
            "minimum: axis -1: extents 3 and 2 differ; shapes [3] and [2] (here)");
}

}  // namespace clip_test
}  // namespace ddx
