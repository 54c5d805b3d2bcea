#include "ddx/ad/detail/unit_seed.h"

#include "tests/unit/ad/leaf.h"

#include <concepts>
#include <gtest/gtest.h>
#include <vector>

namespace unit_seed_test {

using ddx::detail::ScalarResult;
using ddx::detail::unit_seed;
using ddx::testing::LazyLeaf;
using ddx::testing::Leaf;

TEST(UnitSeed, IsOneInTheTypeOfTheResult) {
  EXPECT_EQ(unit_seed(7.5), 1.0);
  EXPECT_EQ(unit_seed(7.5F), 1.0F);
  EXPECT_TRUE((std::same_as<decltype(unit_seed(7.5F)), float>));
}

TEST(UnitSeed, ALeafSaysWhatItsOneIs) {
  EXPECT_EQ(unit_seed(Leaf{{5.0}}), Leaf{{1.0}});
}

TEST(UnitSeed, DecidesWhatHasAGradient) {
  EXPECT_TRUE(ScalarResult<long double>);
  EXPECT_TRUE(ScalarResult<Leaf>);
  EXPECT_FALSE(ScalarResult<LazyLeaf>);
  EXPECT_FALSE(ScalarResult<std::vector<double>>);
  EXPECT_FALSE(ScalarResult<int>);
}

}  // namespace unit_seed_test
