#include "ddx/io/image_tensor.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/io/image.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace ddx::io {
namespace image_tensor_test {

TEST(ImageTensor, EveryByteComesBack) {
  Image image(256, 2, {});
  for (std::size_t i = 0; i < 256; ++i) {
    const auto byte = static_cast<std::uint8_t>(i);
    image.set(i, 0, {byte, 0, 255});
    image.set(i, 1, {7, byte, static_cast<std::uint8_t>(255 - i)});
  }
  const auto points = to_tensor(image);
  EXPECT_EQ(points.shape(), (Shape{2, 256, 3}));
  EXPECT_EQ((points[{0, 51, 0}]), 0.2F);
  EXPECT_EQ((points[{1, 51, 1}]), 0.2F);
  EXPECT_EQ((points[{1, 51, 2}]), 0.8F);
  EXPECT_EQ(to_image(points), image);
}

TEST(ImageTensor, NumbersAreRoundedToTheNearestByteAndHeldWithinTheRange) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const auto image =
      to_image(Tensor<float>({1, 3, 3}, {-1, 2, nan, infinity, -infinity, 0, 1, 0.0078F, 0.0079F}));
  // 255 times 0.0078 is 1.989, times 0.0079 is 2.0145.
  EXPECT_EQ(image.points(), (std::vector<Colour>{{0, 255, 0}, {255, 0, 0}, {255, 2, 2}}));
  EXPECT_EQ(to_image(Tensor<float>({1, 1, 3}, {0.49F / 255, 0.51F / 255, 254.51F / 255})).at(0, 0),
            (Colour{0, 1, 255}));
}

TEST(ImageTensor, OneChannelIsGrey) {
  const auto image = to_image(Tensor<float>({2, 1, 1}, {0, 1}));
  EXPECT_EQ(image.width(), 1U);
  EXPECT_EQ(image.points(), (std::vector<Colour>{{0, 0, 0}, {255, 255, 255}}));
}

TEST(ImageTensor, NoPointStaysNone) {
  EXPECT_EQ(to_tensor(Image(0, 2, {})).shape(), (Shape{2, 0, 3}));
  EXPECT_EQ(to_image(zeros<float>({2, 0, 3})).height(), 2U);
}

TEST(ImageTensor, AnotherShapeIsAnError) {
  EXPECT_EQ(
      ddx::testing::thrown<UsageError>([] { (void)to_image(zeros<float>({2, 2, 2})); }),
      "to_image: shape [2, 2, 2] is neither [height, width, 3] nor [height, width, 1] (here)");
}

}  // namespace image_tensor_test
}  // namespace ddx::io
