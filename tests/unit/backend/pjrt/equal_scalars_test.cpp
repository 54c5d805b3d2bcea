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

TEST(EqualScalars, ThoseThatDifferAreSeparatedAndNoOthers) {
  const auto five = [](double a, double b, double c, double d, double e) {
    return Values{ops::literal(a), ops::literal(b), ops::literal(c), ops::literal(d),
                  ops::literal(e)};
  };
  EqualScalars equal;
  EXPECT_FALSE(equal.update(five(3, 3, 4, 3, 4)));
  EXPECT_EQ(numbers_of(equal), (Numbers{0, 0, 2, 0, 2}));
  EXPECT_TRUE(equal.update(five(3, 5, 4, 5, 4)));
  EXPECT_EQ(numbers_of(equal), (Numbers{0, 1, 2, 1, 2}));
  EXPECT_FALSE(equal.update(five(3, 3, 3, 3, 3)));
  EXPECT_EQ(numbers_of(equal), (Numbers{0, 1, 2, 1, 2}));
}

TEST(EqualScalars, EachIsItsOwnAfterThreeSeparations) {
  EqualScalars equal;
  Values values(6, ops::literal(3.0));
  EXPECT_FALSE(equal.update(values));
  for (std::uint32_t i = 1; i <= 3; ++i) {
    values[i] = ops::literal(10.0 + i);
    EXPECT_TRUE(equal.update(values));
    EXPECT_EQ(numbers_of(equal).at(i), i);
    EXPECT_EQ(numbers_of(equal).at(5), 0U);
  }
  values[4] = ops::literal(20.0);
  EXPECT_TRUE(equal.update(values));
  EXPECT_EQ(numbers_of(equal), Numbers{});
  values[5] = ops::literal(21.0);
  EXPECT_FALSE(equal.update(values));
}

}  // namespace equal_scalars_test
}  // namespace ddx::backend::pjrt
