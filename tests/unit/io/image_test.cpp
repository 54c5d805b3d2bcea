#include "ddx/io/image.h"

#include "ddx/core/error.h"

#include "tests/support/thrown.h"

#include <cstddef>
#include <gtest/gtest.h>

namespace ddx::io {
namespace image_test {

using testing::thrown;

TEST(Image, IsOfOneColour) {
  const Image image(3, 2, {1, 2, 3});
  EXPECT_EQ(image.points().size(), 6U);
  EXPECT_EQ(image.at(2, 1), (Colour{1, 2, 3}));
}

TEST(Image, TooManyPointsAreAnError) {
  // 2^32 * 2^32 is 0 modulo 2^64: an image without points, whose points could be written.
  constexpr std::size_t wide = std::size_t{1} << 32;
  EXPECT_EQ(thrown<EnvironmentError>([] { (void)Image(wide, wide, {}); }),
            "image: the system has no memory for 4294967296 by 4294967296 points");
  EXPECT_EQ(thrown<EnvironmentError>([] { (void)Image(wide, wide / 4, {}); }),
            "image: the system has no memory for 4611686018427387904 elements");
}

}  // namespace image_test
}  // namespace ddx::io
