#include "ddx/nn/path.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace path_test {

TEST(Path, IsWrittenWithDots) {
  const Path root;
  const Path blocks(root, "blocks");
  const Path third(blocks, 2);
  const Path filter(third, "filter");
  EXPECT_EQ(to_string(root), "");
  EXPECT_EQ(to_string(blocks), "blocks");
  EXPECT_EQ(to_string(filter), "blocks.2.filter");
  EXPECT_EQ(to_string(Path(root, 0)), "0");
}

}  // namespace path_test
}  // namespace ddx::nn
