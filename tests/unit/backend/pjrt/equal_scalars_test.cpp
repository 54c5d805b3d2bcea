#include "backend/pjrt/equal_scalars.h"

#include "ddx/core/random_key.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/scalars.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/literal.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace ddx::backend::pjrt {
namespace equal_scalars_test {

using Values = std::vector<ir::ScalarValue>;
using Numbers = std::vector<std::uint32_t>;

/// The numbers of the first equal ones.
Numbers numbers_of(const EqualScalars& equal) {
  Numbers numbers;
  for (const ir::ScalarId first : equal.first_equal()) {
    numbers.push_back(static_cast<std::uint32_t>(first));
  }
  return numbers;
}

TEST(EqualScalars, AreThoseOfTheSameBitsInTheFirstRun) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const RandomKey key(1);
  EqualScalars equal;
  EXPECT_FALSE(equal.update(Values{ops::literal(3.0), ops::literal(0.0), ops::literal(3.0), key,
                                   key, ops::literal(-0.0), ops::literal(nan), ops::literal(nan),
                                   ops::literal(3), ops::literal(0.0)}));
  // A key is its own, and 3 of an integer has another form.
  EXPECT_EQ(numbers_of(equal), (Numbers{0, 1, 0, 3, 4, 5, 6, 6, 8, 1}));
}

TEST(EqualScalars, MayChangeTogether) {
  EqualScalars equal;
  EXPECT_FALSE(equal.update(Values{ops::literal(3.0), ops::literal(3.0), ops::literal(4.0)}));
  EXPECT_FALSE(equal.update(Values{ops::literal(5.0), ops::literal(5.0), ops::literal(5.0)}));
  EXPECT_EQ(numbers_of(equal), (Numbers{0, 0, 2}));
}

TEST(EqualScalars, EachIsItsOwnFromTheFirstDifferenceOn) {
  EqualScalars equal;
  EXPECT_FALSE(equal.update(Values{ops::literal(3.0), ops::literal(3.0)}));
  EXPECT_TRUE(equal.update(Values{ops::literal(3.0), ops::literal(4.0)}));
  EXPECT_EQ(numbers_of(equal), Numbers{});
  EXPECT_FALSE(equal.update(Values{ops::literal(3.0), ops::literal(3.0)}));
  EXPECT_EQ(numbers_of(equal), Numbers{});
}

}  // namespace equal_scalars_test
}  // namespace ddx::backend::pjrt
