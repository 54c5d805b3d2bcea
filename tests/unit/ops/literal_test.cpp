#include "ddx/ops/literal.h"

#include "ddx/core/float16.h"

#include <complex>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>

namespace ddx::ops {
namespace literal_test {

TEST(Literal, OfIntegersIsExact) {
  const Literal large = literal(std::numeric_limits<std::int64_t>::max() - 1);
  EXPECT_EQ(large.integer, 9223372036854775806);
  EXPECT_EQ(literal(std::int8_t{-7}).integer, -7);
  EXPECT_EQ(literal(std::int8_t{-7}).real, -7.0);
  EXPECT_EQ(literal(true).integer, 1);
  EXPECT_EQ(literal(true).real, 1.0);
}

TEST(Literal, OfFloatsHasNoInteger) {
  const Literal huge = literal(1e300);
  EXPECT_EQ(huge.real, 1e300);
  EXPECT_EQ(huge.integer, 0);
  EXPECT_EQ(literal(2.5F).real, 2.5);
  EXPECT_EQ(literal(2.5F).integer, 0);
  EXPECT_EQ(literal(BFloat16(1.5F)).real, 1.5);
}

TEST(Literal, OfComplexNumbersHasBothParts) {
  const Literal two = literal(std::complex<float>(0.5F, -3));
  EXPECT_EQ(two.real, 0.5);
  EXPECT_EQ(two.imaginary, -3.0);
  EXPECT_EQ(two.integer, 0);
}

}  // namespace literal_test
}  // namespace ddx::ops
