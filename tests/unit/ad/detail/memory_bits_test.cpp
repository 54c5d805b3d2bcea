#include "ddx/ad/detail/memory_bits.h"

#include "ddx/core/error.h"

#include <bit>
#include <cstdint>
#include <gtest/gtest.h>

namespace ddx::detail {
namespace {

constexpr std::uint64_t all = ~std::uint64_t{0};
constexpr std::uint64_t sign = std::uint64_t{1} << 63;

std::uint64_t bits_of(double x) {
  return std::bit_cast<std::uint64_t>(x);
}

TEST(MemoryBits, OfAnAbsoluteValueHaveTheSignOfTheNumber) {
  EXPECT_EQ(bits_and(3.0, bits_of(-2.5), all ^ sign), -3.0);
  EXPECT_EQ(bits_and(3.0, bits_of(2.5), all ^ sign), 3.0);
}

TEST(MemoryBits, OfASelectionPassWhereTheMaskIsSet) {
  EXPECT_EQ(bits_and(3.0, bits_of(-2.5), all), 3.0);
  EXPECT_EQ(bits_and(3.0, bits_of(-2.5), 0), 0.0);
  EXPECT_EQ(bits_or(3.0, bits_of(-2.5), 0), 3.0);
  EXPECT_EQ(bits_or(3.0, 0, bits_of(-2.5)), 0.0);
}

TEST(MemoryBits, OfASignAloneHaveNoDerivative) {
  EXPECT_EQ(bits_and(3.0, bits_of(-2.5), sign), 0.0);
}

TEST(MemoryBits, WithAChangedSignChangeTheCotangents) {
  EXPECT_EQ(bits_xor(3.0, bits_of(-2.5), sign), -3.0);
  EXPECT_EQ(bits_xor(3.0, bits_of(-2.5), 0), 3.0);
  EXPECT_EQ(bits_or(3.0, bits_of(2.5), sign), -3.0);
  EXPECT_EQ(bits_or(3.0, bits_of(-2.5), sign), 3.0);
}

TEST(MemoryBits, ThatAreChangedOtherwiseThrow) {
  EXPECT_THROW((void)bits_and(3.0, bits_of(2.5), all << 8), UsageError);
  EXPECT_THROW((void)bits_xor(3.0, bits_of(2.5), 1), UsageError);
  EXPECT_THROW((void)bits_or(3.0, bits_of(2.5), 1), UsageError);
}

TEST(MemoryBits, AreTakenWhereTheAddressIsThatOfANumber) {
  double numbers[2] = {1, 2};
  MemorySweep sweep;
  sweep.begin_reverse();
  add_to_bits(sweep, &numbers[1], 0.0);
  EXPECT_EQ(take_from_bits<double>(sweep, &numbers[1]), 0.0);
  add_to_bits(sweep, &numbers[1], 5.0);
  EXPECT_EQ(take_from_bits<double>(sweep, &numbers[1]), 5.0);
  EXPECT_EQ(take_from_bits<double>(sweep, &numbers[1]), 0.0);
  EXPECT_EQ(take_from_bits<double>(sweep, reinterpret_cast<const char*>(numbers) + 3), 0.0);
}

}  // namespace
}  // namespace ddx::detail
