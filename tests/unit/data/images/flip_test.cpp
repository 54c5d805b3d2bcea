#include "ddx/data/images/flip.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <gtest/gtest.h>

namespace ddx::data {
namespace flip_test {

TEST(Flip, ExchangesTheSidesOfEachPicture) {
  const auto images = reshape(iota<float>(12), {2, 2, 3, 1});
  EXPECT_EQ(flipped(images, Flip::LeftRight),
            Tensor<float>({2, 2, 3, 1}, {2, 1, 0, 5, 4, 3, 8, 7, 6, 11, 10, 9}));
  EXPECT_EQ(flipped(images, Flip::UpDown),
            Tensor<float>({2, 2, 3, 1}, {3, 4, 5, 0, 1, 2, 9, 10, 11, 6, 7, 8}));
}

TEST(Flip, ChannelsStayTogether) {
  const auto image = reshape(iota<float>(12), {3, 2, 2});
  EXPECT_EQ(flipped(image, Flip::LeftRight),
            Tensor<float>({3, 2, 2}, {2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9}));
  EXPECT_EQ(flipped(image, Flip::UpDown),
            Tensor<float>({3, 2, 2}, {8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3}));
}

TEST(Flip, NoPictureStaysNone) {
  for (const auto flip : {Flip::LeftRight, Flip::UpDown}) {
    for (const Shape& shape : {Shape{0, 2, 2, 1}, Shape{2, 0, 2, 1}, Shape{2, 2, 0, 1}}) {
      EXPECT_EQ(flipped(zeros<float>(shape), flip).shape(), shape);
    }
    EXPECT_EQ(flipped(Tensor<float>({1, 1, 1}, {5}), flip).item(), 5);
  }
}

TEST(Flip, AnotherRankIsAnError) {
  EXPECT_EQ(ddx::testing::thrown<UsageError>(
                [] { (void)flipped(Tensor<float>({1, 1}, {5}), Flip::UpDown); }),
            "flipped: shape [1, 1] is neither [n, h, w, c] nor [h, w, c] (here)");
}

}  // namespace flip_test
}  // namespace ddx::data
