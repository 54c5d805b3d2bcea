#include "ddx/core/checked.h"

#include "ddx/core/error.h"

#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <source_location>

namespace ddx {
namespace checked_test {

using testing::thrown;

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();

TEST(Checked, ResultsThatFitAreExact) {
  EXPECT_EQ(checked_sum(largest, smallest, "pad"), -1);
  EXPECT_EQ(checked_sum(largest - 1, 1, "pad"), largest);
  EXPECT_EQ(checked_difference(smallest + 1, 1, "pad"), smallest);
  EXPECT_EQ(checked_product(std::int64_t{1} << 31, -(std::int64_t{1} << 32), "pad"), smallest);
  EXPECT_EQ(checked_product(largest, 0, "pad"), 0);
}

TEST(Checked, ResultsThatDoNotFitAreErrorsOfTheOperationAtTheLine) {
  EXPECT_EQ(thrown<UsageError>(
                [] { (void)checked_sum(largest, 1, "pad", std::source_location::current()); }),
            "pad: 9223372036854775807 + 1 does not fit in 64 bits (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)checked_difference(smallest, 1, "pad"); }),
            "pad: -9223372036854775808 - 1 does not fit in 64 bits");
  EXPECT_EQ(thrown<UsageError>([] { (void)checked_product(largest, 2, "tile"); }),
            "tile: 9223372036854775807 * 2 does not fit in 64 bits");
  EXPECT_EQ(thrown<UsageError>([] { (void)checked_product(smallest, -1, "tile"); }),
            "tile: -9223372036854775808 * -1 does not fit in 64 bits");
}

}  // namespace checked_test
}  // namespace ddx
