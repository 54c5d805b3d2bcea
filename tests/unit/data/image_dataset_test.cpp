#include "ddx/data/image_dataset.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/data/epoch.h"

#include "tests/support/temporary_folder.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace ddx::data {
namespace image_dataset_test {

static_assert(Dataset<ImageDataset>);

/// Three images of one row, two columns and one channel.
LabelledImages three_images() {
  return {.height = 1,
          .width = 2,
          .channels = 1,
          .pixels = {0, 255, 51, 102, 153, 204},
          .labels = {7, 8, 9}};
}

TEST(ImageDataset, ScalesTheImagesAskedFor) {
  const ImageDataset data(three_images(), {.mean = 0.5F, .deviation = 0.25F});
  const std::vector<std::int64_t> samples = {2, 0};
  const auto batch = data.batch(samples);
  EXPECT_EQ(batch.images.shape(), (Shape{2, 1, 2, 1}));
  // (3/5 - 1/2) 4, (4/5 - 1/2) 4, (0 - 1/2) 4, (1 - 1/2) 4
  const float expected[] = {0.4F, 1.2F, -2, 2};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(batch.images.elements()[i], expected[i], 1e-6) << i;
  }
  EXPECT_EQ(batch.labels.values(), (std::vector<std::int32_t>{9, 7}));
}

TEST(ImageDataset, MissingPixelsAreAnError) {
  auto images = three_images();
  images.pixels.pop_back();
  EXPECT_EQ(ddx::testing::message_of<UsageError>([&] { ImageDataset(images, {}); }),
            "ImageDataset: 5 bytes for images of shape [3, 1, 2, 1]");
}

}  // namespace image_dataset_test
}  // namespace ddx::data
