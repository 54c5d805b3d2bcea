#include "ddx/core/float16.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <sstream>
#include <string>

namespace ddx {
namespace float16_test {

/// What IEEE 754 says of a bit pattern, with so many bits of exponent and fraction.
double value_of(std::uint16_t bits, int exponent_bits, int fraction_bits) {
  const int exponent = (bits & 0x7FFF) >> fraction_bits;
  const int fraction = bits & ((1 << fraction_bits) - 1);
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == (1 << exponent_bits) - 1) {
    return fraction == 0 ? sign * INFINITY : NAN;
  }
  return exponent == 0
             ? sign * std::ldexp(fraction, 1 - bias - fraction_bits)
             : sign * std::ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
}

template <class T>
class Float16Test : public ::testing::Test {
 public:
  static constexpr int fraction_bits = std::numeric_limits<T>::digits - 1;
  static double exact(std::uint16_t bits) {
    return value_of(bits, 15 - fraction_bits, fraction_bits);
  }
};
using Types = ::testing::Types<Half, BFloat16>;
TYPED_TEST_SUITE(Float16Test, Types);

TYPED_TEST(Float16Test, EveryPatternReadsAsItsNumberAndComesBack) {
  for (std::uint32_t pattern = 0; pattern < 0x10000; ++pattern) {
    const auto bits = static_cast<std::uint16_t>(pattern);
    const auto number = TypeParam::from_bits(bits);
    const double exact = this->exact(bits);
    if (std::isnan(exact)) {
      ASSERT_TRUE(std::isnan(static_cast<float>(number))) << bits;
      ASSERT_TRUE(number != number) << bits;
      const TypeParam back = static_cast<float>(number);
      ASSERT_TRUE(back != back) << bits;
      ASSERT_EQ(back.bits() & 0x8000, bits & 0x8000) << "the sign of a NaN";
      continue;
    }
    ASSERT_EQ(static_cast<double>(number), exact) << bits;
    ASSERT_EQ(std::signbit(static_cast<float>(number)), (bits & 0x8000) != 0) << bits;
    ASSERT_EQ(TypeParam(exact).bits(), bits);
    ASSERT_EQ(TypeParam(static_cast<float>(number)).bits(), bits);
  }
}

TYPED_TEST(Float16Test, RoundsToTheNearestAndTiesToEven) {
  for (std::uint16_t low = 0; low < TypeParam::infinity_bits; ++low) {
    const auto high = static_cast<std::uint16_t>(low + 1);
    const double above = high == TypeParam::infinity_bits
                             ? std::ldexp(1.0, std::numeric_limits<TypeParam>::max_exponent)
                             : this->exact(high);
    const double middle = (this->exact(low) + above) / 2;
    const std::uint16_t even = low % 2 == 0 ? low : high;
    for (const double sign : {1.0, -1.0}) {
      const int sign_bit = sign < 0 ? 0x8000 : 0;
      ASSERT_EQ(TypeParam(sign * middle).bits(), even | sign_bit) << middle;
      ASSERT_EQ(TypeParam(sign * std::nextafter(middle, 0.0)).bits(), low | sign_bit) << middle;
      ASSERT_EQ(TypeParam(sign * std::nextafter(middle, INFINITY)).bits(), high | sign_bit)
          << middle;
    }
  }
  EXPECT_EQ(TypeParam(1e300).bits(), TypeParam::infinity_bits);
  EXPECT_EQ(TypeParam(-1e-300).bits(), 0x8000);
  EXPECT_EQ(TypeParam(std::numeric_limits<double>::denorm_min()).bits(), 0);
}

struct Conversion {
  std::uint32_t number;
  std::uint16_t half;
  std::uint16_t bfloat16;
};

const Conversion conversions[] = {
#include "tests/goldens/float16_conversions.inc"
};

TEST(Float16, ConvertsAsRecorded) {
  for (const Conversion& one : conversions) {
    const auto number = std::bit_cast<float>(one.number);
    EXPECT_EQ(Half(number).bits(), one.half) << number;
    EXPECT_EQ(BFloat16(number).bits(), one.bfloat16) << number;
  }
}

TEST(Float16, RoundsIntegersOnce) {
  // Halfway between two numbers of BFloat16, plus a one that a double has no room for.
  constexpr std::int64_t tie = (std::int64_t{1} << 62) + (std::int64_t{1} << 54);
  EXPECT_EQ(static_cast<double>(BFloat16(tie)), 0x1p62);
  EXPECT_EQ(static_cast<double>(BFloat16(tie + 1)), 0x1.02p62);
  EXPECT_EQ(static_cast<double>(BFloat16(-tie - 1)), -0x1.02p62);
  EXPECT_EQ(static_cast<double>(BFloat16(std::numeric_limits<std::uint64_t>::max())), 0x1p64);
  EXPECT_EQ(static_cast<double>(BFloat16(std::numeric_limits<std::int64_t>::min())), -0x1p63);
  EXPECT_EQ(static_cast<int>(Half(2049)), 2048);
  EXPECT_EQ(static_cast<int>(Half(2051)), 2052);
  EXPECT_EQ(Half(65520).bits(), Half::infinity_bits);
}

TEST(Float16, ComputesExactlyAndRoundsOnce) {
  EXPECT_EQ(Half(1) / 3, Half(0.333251953125));
  EXPECT_EQ(Half(2048) + 1, Half(2048));
  EXPECT_EQ(Half(2050) + 1, Half(2052));  // A tie: to even.
  EXPECT_EQ(Half(300) * 300, std::numeric_limits<Half>::infinity());
  EXPECT_EQ(BFloat16(3) - 0.5F, BFloat16(2.5));
  EXPECT_EQ((-Half(0)).bits(), 0x8000);
  BFloat16 sum = 256;
  sum += 1;
  EXPECT_EQ(sum, 256);
  sum *= 2;
  sum -= 12;
  sum /= 5;
  EXPECT_EQ(sum, 100);
}

TEST(Float16, ComparesAsNumbers) {
  const Half nan = std::numeric_limits<Half>::quiet_NaN();
  EXPECT_TRUE(Half(-2) < Half(1) && Half(1) <= 1 && Half(-0.0) == 0);
  EXPECT_FALSE(nan == nan || nan < 1 || nan > 1);
}

TEST(Float16, HasTheLimitsOfItsFormat) {
  using HalfLimits = std::numeric_limits<Half>;
  using BFloat16Limits = std::numeric_limits<BFloat16>;
  EXPECT_EQ(HalfLimits::max(), 65504);
  EXPECT_EQ(HalfLimits::lowest(), -65504);
  EXPECT_EQ(HalfLimits::min(), 0x1p-14);
  EXPECT_EQ(HalfLimits::denorm_min(), 0x1p-24);
  EXPECT_EQ(HalfLimits::epsilon(), 0x1p-10);
  EXPECT_TRUE(HalfLimits::has_denorm == std::denorm_present && HalfLimits::is_iec559);
  EXPECT_EQ(HalfLimits::digits10, 3);
  EXPECT_EQ(HalfLimits::max_digits10, 5);
  EXPECT_EQ(HalfLimits::max_exponent, 16);
  EXPECT_EQ(HalfLimits::min_exponent, -13);
  EXPECT_EQ(static_cast<float>(BFloat16Limits::max()), 0x1.FEp127F);
  EXPECT_EQ(static_cast<float>(BFloat16Limits::min()), std::numeric_limits<float>::min());
  EXPECT_EQ(BFloat16Limits::denorm_min(), 0x1p-133);
  EXPECT_EQ(BFloat16Limits::epsilon(), 0x1p-7);
  EXPECT_EQ(BFloat16Limits::digits10, 2);
  EXPECT_EQ(BFloat16Limits::max_digits10, 4);
  EXPECT_EQ(BFloat16Limits::max_exponent10, 38);
  EXPECT_EQ(BFloat16Limits::min_exponent10, -37);
}

TEST(Float16, FindsTheNumberBelow) {
  EXPECT_EQ(next_below(Half(1)), 1 - 0x1p-11);
  EXPECT_EQ(next_below(Half(-1)), -1 - 0x1p-10);
  EXPECT_EQ(next_below(Half(0)), -0x1p-24);
  EXPECT_EQ(next_below(-Half(0)), -0x1p-24);
}

TEST(Float16, PrintsTheShortestDigitsThatReadBack) {
  EXPECT_EQ(to_string(Half(0.1)), "0.1");
  EXPECT_EQ(to_string(BFloat16(0.1)), "0.1");
  EXPECT_EQ(to_string(BFloat16(3.14159)), "3.14");
  EXPECT_EQ(to_string(Half(3.14159)), "3.14");
  EXPECT_EQ(to_string(Half(65504)), "65500");
  EXPECT_EQ(to_string(Half(-2)), "-2");
  EXPECT_EQ(to_string(std::numeric_limits<Half>::denorm_min()), "6e-08");
  EXPECT_EQ(to_string(std::numeric_limits<Half>::infinity()), "inf");
  EXPECT_EQ(to_string(-Half(0)), "-0");
  std::ostringstream stream;
  stream << BFloat16(1.5) << " " << std::numeric_limits<BFloat16>::quiet_NaN();
  EXPECT_EQ(stream.str(), "1.5 nan");
}

TYPED_TEST(Float16Test, EveryNumberReadsBackFromItsDigits) {
  for (std::uint16_t bits = 0; bits < TypeParam::infinity_bits; ++bits) {
    const auto number = TypeParam::from_bits(bits);
    ASSERT_EQ(TypeParam(std::stod(to_string(number))).bits(), bits) << to_string(number);
  }
}

}  // namespace float16_test
}  // namespace ddx
