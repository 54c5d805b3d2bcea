#include "ddx/data/images/crop.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace ddx::data {
namespace crop_test {

using ddx::testing::thrown;

/// Two pictures of 3 by 4 points and one channel: 0 to 23.
const Tensor<float> images = reshape(iota<float>(24), {2, 3, 4, 1});

TEST(Crop, TakesTheRectangleOfEachPicture) {
  const auto part = cropped(images, {.top = 1, .left = 2, .height = 2, .width = 2});
  EXPECT_EQ(part, Tensor<float>({2, 2, 2, 1}, {6, 7, 10, 11, 18, 19, 22, 23}));
  EXPECT_EQ(cropped(images, {.height = 3, .width = 4}), images);
}

TEST(Crop, ChannelsStayTogether) {
  const auto image = reshape(iota<float>(12), {2, 2, 3});
  EXPECT_EQ(cropped(image, {.left = 1, .height = 2, .width = 1}),
            Tensor<float>({2, 1, 3}, {3, 4, 5, 9, 10, 11}));
}

TEST(Crop, TheSmallerHalfOfTheRestIsAtTheTopAndAtTheLeft) {
  EXPECT_EQ(center_cropped(images, 2, 1), Tensor<float>({2, 2, 1, 1}, {1, 5, 13, 17}));
}

TEST(Crop, ARectangleThatIsNotInsideIsAnError) {
  EXPECT_EQ(thrown<UsageError>([] { (void)cropped(images, {.top = 2, .height = 2, .width = 1}); }),
            "cropped: 2 by 1 points at row 2 and column 0 of pictures of 3 by 4 (here)");
  const auto last = std::numeric_limits<std::int64_t>::max();
  for (const CropOptions& wrong :
       {CropOptions{.left = -1, .height = 1, .width = 1}, CropOptions{.height = 0, .width = 1},
        CropOptions{.height = 1, .width = -1}, CropOptions{.top = last, .height = 1, .width = 1},
        CropOptions{.top = 1, .height = last, .width = 1}}) {
    EXPECT_NE(thrown<UsageError>([&] { (void)cropped(images, wrong); }), "nothing was thrown");
  }
  EXPECT_EQ(thrown<UsageError>([] { (void)center_cropped(images, 4, 1); }),
            "center_cropped: 4 by 1 points at row 0 and column 1 of pictures of 3 by 4 (here)");
}

}  // namespace crop_test
}  // namespace ddx::data
