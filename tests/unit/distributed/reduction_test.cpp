#include "ddx/distributed/reduction.h"

#include <gtest/gtest.h>

namespace ddx::distributed {
namespace reduction_test {

TEST(Reduction, HasAName) {
  EXPECT_STREQ(to_string(Reduction::Sum), "sum");
  EXPECT_STREQ(to_string(Reduction::Mean), "mean");
  EXPECT_STREQ(to_string(Reduction::Min), "min");
  EXPECT_STREQ(to_string(Reduction::Max), "max");
  EXPECT_STREQ(to_string(Reduction::Product), "product");
}

}  // namespace reduction_test
}  // namespace ddx::distributed
