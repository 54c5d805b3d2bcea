#include "ddx/core/indices.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"

#include "tests/support/thrown.h"

#include <gtest/gtest.h>

namespace ddx {
namespace indices_test {

TEST(Indices, HoldNegativeNumbersInOrder) {
  const Indices indices{2, -1};
  EXPECT_EQ(indices.size(), 2U);
  EXPECT_EQ(indices[1], -1);
  EXPECT_EQ(to_string(indices), "[2, -1]");
  EXPECT_TRUE(Indices{}.empty());
}

TEST(Indices, AreMadeFromShapes) {
  EXPECT_EQ(Indices(Shape{2, 3}), (Indices{2, 3}));
}

TEST(Indices, AreAtMostAsManyAsAxes) {
  EXPECT_EQ(testing::thrown<UsageError>([] { (void)Indices{1, 2, 3, 4, 5, 6, 7, 8, 9}; }),
            "indices: 9 values exceed the largest rank, 8");
}

}  // namespace indices_test
}  // namespace ddx
