#include "ddx/train/predictions.h"

#include "ddx/core/error.h"
#include "ddx/data/image_dataset.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/temporary_folder.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace ddx::train {
namespace predictions_test {

using ddx::testing::message_of;

TEST(PredictedClasses, AreTheHighestScoresWhateverTheBatchSize) {
  // Each image is its own scores: the brightest of three points is the class.
  const data::ImageDataset samples({.height = 1,
                                    .width = 3,
                                    .channels = 1,
                                    .pixels = {9, 0, 0, 0, 0, 9, 0, 9, 0, 9, 0, 0, 1, 2, 3},
                                    .labels = {0, 2, 1, 0, 2}},
                                   {});
  const auto model = [](const Tensor<float>& images) {
    return reshape(images, {images.shape()[0], 3});
  };
  for (const std::int64_t batch_size : {1, 2, 5, 100}) {
    EXPECT_EQ(predicted_classes(model, samples, 5, batch_size),
              (std::vector<std::int32_t>{0, 2, 1, 0, 2}));
  }
  EXPECT_EQ(predicted_classes(model, samples, 2), (std::vector<std::int32_t>{0, 2}));
  EXPECT_EQ(message_of<UsageError>([&] { (void)predicted_classes(model, samples, 6); }),
            "Epoch: sample 5 of a data set of 5");
}

TEST(Accuracy, IsTheShareOfRightAnswers) {
  const std::vector<std::int32_t> predicted = {1, 2, 3, 4};
  const std::vector<std::uint8_t> labels = {1, 0, 3, 4};
  EXPECT_EQ(accuracy(predicted, labels), 0.75);
  EXPECT_EQ(accuracy({}, {}), 0);
  EXPECT_EQ(message_of<UsageError>([&] { (void)accuracy(predicted, {}); }),
            "accuracy: 4 predictions for 0 labels");
}

}  // namespace predictions_test
}  // namespace ddx::train
