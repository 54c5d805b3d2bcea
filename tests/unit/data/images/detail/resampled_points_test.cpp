#include "data/images/detail/resampled_points.h"

#include "ddx/data/images/crop.h"
#include "ddx/data/images/flip.h"
#include "ddx/data/images/resize.h"
#include "ddx/io/image.h"
#include "ddx/io/image_tensor.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <span>
#include <vector>

namespace ddx::data::detail {
namespace resampled_points_test {

io::Image coloured(std::size_t width, std::size_t height) {
  io::Image image(width, height, {});
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      image.set(x, y,
                {static_cast<std::uint8_t>(37 * x + 11 * y), static_cast<std::uint8_t>(7 * x * y),
                 static_cast<std::uint8_t>(91 * y + x)});
    }
  }
  return image;
}

// The operations on tensors are compared with recordings by their own tests.
TEST(ResampledPoints, AreThoseOfTheOperationsOnTensors) {
  const auto image = coloured(23, 17);
  for (const std::int64_t side : {1, 4, 9, 30}) {
    const CropOptions part{.top = 2, .left = 3, .height = 14, .width = 19};
    auto expected = resized(cropped(io::to_tensor(image), part),
                            {.height = side, .width = side + 1, .antialias = true});
    std::vector<float> points(expected.count());
    const Resampling what{.top = 2,
                          .left = 3,
                          .bottom = 16,
                          .right = 22,
                          .height = side,
                          .width = side + 1,
                          .scale = {1 / 255.F, 2 / 255.F, 4 / 255.F},
                          .shift = {0, -1, 0.5F}};
    resample(image, what, points);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const float value = expected.elements()[i];
      const float changed = i % 3 == 0 ? value : i % 3 == 1 ? 2 * value - 1 : 4 * value + 0.5F;
      EXPECT_NEAR(points[i], changed, 1e-5) << side << " " << i;
    }
  }
}

TEST(ResampledPoints, AreMirroredWhereThatIsAskedFor) {
  const auto image = coloured(9, 8);
  Resampling what{.bottom = 8, .right = 9, .height = 5, .width = 6};
  std::vector<float> plain(90);
  std::vector<float> mirrored(90);
  resample(image, what, plain);
  what.is_flipped = true;
  resample(image, what, mirrored);
  const Tensor<float> tensor({5, 6, 3}, std::span<const float>(plain));
  EXPECT_EQ(mirrored, flipped(tensor, Flip::LeftRight).values());
}

TEST(ResampledPoints, SidesInsideOfPointsMoveTheKernels) {
  // Columns 0, 10, 20, 30: the value at x is 10 (x - 0.5).
  io::Image image(4, 1, {});
  for (std::size_t x = 0; x < 4; ++x) {
    image.set(x, 0, {static_cast<std::uint8_t>(10 * x), 0, 0});
  }
  std::vector<float> points(6);
  resample(image, {.left = 0.75, .bottom = 1, .right = 2.75, .height = 1, .width = 2}, points);
  EXPECT_NEAR(points[0], 7.5, 1e-4);   // x = 1.25
  EXPECT_NEAR(points[3], 17.5, 1e-4);  // x = 2.25
}

}  // namespace resampled_points_test
}  // namespace ddx::data::detail
