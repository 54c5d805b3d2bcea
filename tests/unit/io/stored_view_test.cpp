#include "ddx/io/stored_view.h"

#include "ddx/core/dtype.h"
#include "ddx/io/stored_tensor.h"

#include <gtest/gtest.h>

namespace ddx::io {
namespace stored_view_test {

TEST(StoredView, IsTheArrayWithoutACopyOfItsBytes) {
  const StoredTensor array{DType::u8, Shape{3}, {1, 2, 3}};
  const auto view = view_of(array);
  EXPECT_EQ(view.bytes.data(), array.bytes.data());
  EXPECT_EQ(view.bytes.size(), 3U);
  EXPECT_EQ(copy_of(view), array);
}

TEST(StoredView, KeepsAnObstacle) {
  const StoredTensor array{DType::f32, Shape{}, {}, "not supported"};
  EXPECT_EQ(view_of(array).obstacle, "not supported");
  EXPECT_EQ(copy_of(view_of(array)), array);
}

}  // namespace stored_view_test
}  // namespace ddx::io
