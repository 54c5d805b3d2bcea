/// \file
/// Floating-point numbers of 16 bits: Half and BFloat16.

#pragma once

#include <bit>
#include <compare>
#include <concepts>
#include <cstdint>
#include <limits>
#include <ostream>
#include <string>
#include <type_traits>

namespace ddx {

/// A binary floating-point number of 16 bits: a sign, an exponent and a fraction, as IEEE 754 lays
/// them out, with subnormal numbers, infinities and NaNs. Half and BFloat16 are the two in use.
///
/// Any number converts to it, rounded once to the nearest, ties to even; what is too large becomes
/// infinite, a NaN stays a quiet NaN. It converts back by `static_cast` alone, exactly where the
/// type can hold it. Arithmetic gives the exact result rounded once, and every operation works on
/// machines without instructions for such numbers.
///
/// Source:  IEEE 754-2008, 3.4 and 4.3.1.
template <int exponent_bits, int fraction_bits>
class Float16 {
  static_assert(1 + exponent_bits + fraction_bits == 16);

 public:
  using TangentVector = Float16;

  static constexpr int bias = (1 << (exponent_bits - 1)) - 1;
  static constexpr std::uint16_t infinity_bits = ((1 << exponent_bits) - 1) << fraction_bits;
  static constexpr std::uint16_t fraction_mask = (1 << fraction_bits) - 1;

  constexpr Float16() = default;  ///< Zero.
  template <class Number>
    requires std::is_arithmetic_v<Number>
  constexpr explicit(false) Float16(Number value) noexcept : bits_(rounded(wide(value))) {}

  /// The number with this bit pattern.
  [[nodiscard]] static constexpr Float16 from_bits(std::uint16_t bits) noexcept {
    Float16 result;
    result.bits_ = bits;
    return result;
  }
  [[nodiscard]] constexpr std::uint16_t bits() const noexcept { return bits_; }

  template <class Number>
    requires std::is_arithmetic_v<Number>
  constexpr explicit operator Number() const noexcept {
    return static_cast<Number>(value());
  }

  friend constexpr Float16 operator-(Float16 x) noexcept { return from_bits(x.bits_ ^ 0x8000U); }
  friend constexpr Float16 operator+(Float16 a, Float16 b) noexcept {
    return static_cast<double>(a) + static_cast<double>(b);
  }
  friend constexpr Float16 operator-(Float16 a, Float16 b) noexcept {
    return static_cast<double>(a) - static_cast<double>(b);
  }
  friend constexpr Float16 operator*(Float16 a, Float16 b) noexcept {
    return static_cast<double>(a) * static_cast<double>(b);
  }
  friend constexpr Float16 operator/(Float16 a, Float16 b) noexcept {
    return static_cast<double>(a) / static_cast<double>(b);
  }
  constexpr Float16& operator+=(Float16 other) noexcept { return *this = *this + other; }
  constexpr Float16& operator-=(Float16 other) noexcept { return *this = *this - other; }
  constexpr Float16& operator*=(Float16 other) noexcept { return *this = *this * other; }
  constexpr Float16& operator/=(Float16 other) noexcept { return *this = *this / other; }

  /// As numbers: zeros of both signs are equal, a NaN equals nothing.
  friend constexpr bool operator==(Float16 a, Float16 b) noexcept { return a.value() == b.value(); }
  friend constexpr std::partial_ordering operator<=>(Float16 a, Float16 b) noexcept {
    return a.value() <=> b.value();
  }

  // What makes it a tangent (ddx/ad/tangent.h).
  friend constexpr void ddx_accumulate(Float16& into, Float16 from) noexcept { into += from; }
  friend constexpr void ddx_conform(Float16& /*tangent*/, Float16 /*primal*/) noexcept {}
  friend constexpr Float16 ddx_inner(Float16 a, Float16 b) noexcept { return a * b; }
  friend constexpr Float16 ddx_unit_seed(Float16 /*value*/) noexcept { return 1; }

 private:
  static constexpr int lowest_exponent = 1 - bias;  // Of normal numbers.

  /// A number as double; one that a double cannot hold lies on the same side of every tie.
  template <class Number>
  static constexpr double wide(Number value) noexcept {
    if constexpr (std::integral<Number> && sizeof(Number) == 8) {
      const bool negative = value < Number{};
      std::uint64_t size = static_cast<std::uint64_t>(value);
      size = negative ? 0 - size : size;
      if (size >> 53 != 0) {
        size = (size >> 11 | (size & 0x7FF ? 1U : 0U)) << 11;
      }
      return negative ? -static_cast<double>(size) : static_cast<double>(size);
    } else {
      return static_cast<double>(value);
    }
  }

  /// `word` without its last `count` bits, rounded to the nearest, ties to even.
  static constexpr std::uint64_t shifted(std::uint64_t word, int count) noexcept {
    const std::uint64_t odd = word >> count & 1;
    return (word + (std::uint64_t{1} << (count - 1)) - 1 + odd) >> count;
  }

  static constexpr std::uint16_t rounded(double value) noexcept {
    constexpr int dropped = 52 - fraction_bits;
    constexpr std::uint64_t infinity = std::uint64_t{0x7FF} << 52;
    const auto word = std::bit_cast<std::uint64_t>(value);
    const std::uint64_t size = word & ~(std::uint64_t{1} << 63);
    const std::uint64_t sign = word >> 48 & 0x8000;
    if (size > infinity) {
      const std::uint64_t quiet = std::uint64_t{1} << (fraction_bits - 1);
      return static_cast<std::uint16_t>(sign | infinity_bits | quiet |
                                        (size >> dropped & fraction_mask));
    }
    const int exponent = static_cast<int>(size >> 52) - 1023;
    if (exponent > bias) {
      return static_cast<std::uint16_t>(sign | infinity_bits);
    }
    if (exponent >= lowest_exponent) {
      // A carry out of the fraction goes into the exponent, as it should, up to infinity.
      constexpr std::uint64_t rebase = std::uint64_t{1023 - bias} << 52;
      return static_cast<std::uint16_t>(sign | shifted(size - rebase, dropped));
    }
    const int count = dropped + lowest_exponent - exponent;
    if (count > 53) {
      return static_cast<std::uint16_t>(sign);  // Less than half of the smallest number.
    }
    const std::uint64_t significand = (size & ((std::uint64_t{1} << 52) - 1)) | std::uint64_t{1}
                                                                                    << 52;
    return static_cast<std::uint16_t>(sign | shifted(significand, count));
  }

  [[nodiscard]] constexpr float value() const noexcept {
    const std::uint32_t sign = (bits_ & 0x8000U) << 16;
    const std::uint32_t size = bits_ & 0x7FFFU;
    if (size >= infinity_bits) {
      const std::uint32_t fraction = (size & fraction_mask) << (23 - fraction_bits);
      return std::bit_cast<float>(sign | 0x7F800000U | fraction);
    }
    if (size > fraction_mask || exponent_bits == 8) {
      constexpr std::uint32_t rebase = std::uint32_t{127 - bias} << 23;
      return std::bit_cast<float>(sign | ((size << (23 - fraction_bits)) + rebase));
    }
    constexpr float unit = std::bit_cast<float>(
        static_cast<std::uint32_t>(
            127 + lowest_exponent - fraction_bits > 0 ? 127 + lowest_exponent - fraction_bits : 1)
        << 23);
    const float magnitude = static_cast<float>(size) * unit;
    return sign != 0 ? -magnitude : magnitude;
  }

  std::uint16_t bits_ = 0;
};

/// IEEE 754's binary16: 11 significant bits, from 2^-24 to 65504.
using Half = Float16<5, 10>;

/// The upper half of a float: 8 significant bits, and the range of float.
using BFloat16 = Float16<8, 7>;

/// The shortest decimal digits that read back as the same number, e.g. "0.1".
[[nodiscard]] std::string to_string(Half value);
[[nodiscard]] std::string to_string(BFloat16 value);

/// Writes what to_string gives.
template <int exponent_bits, int fraction_bits>
std::ostream& operator<<(std::ostream& stream, Float16<exponent_bits, fraction_bits> value) {
  return stream << to_string(value);
}

/// The largest number below `value`. Requires a finite `value` that is not the lowest.
template <int exponent_bits, int fraction_bits>
[[nodiscard]] constexpr Float16<exponent_bits, fraction_bits> next_below(
    Float16<exponent_bits, fraction_bits> value) noexcept {
  using T = Float16<exponent_bits, fraction_bits>;
  if (value == T()) {
    return -T::from_bits(1);
  }
  const bool positive = value > T();
  return T::from_bits(static_cast<std::uint16_t>(value.bits() + (positive ? -1 : 1)));
}

}  // namespace ddx

/// The properties of the 16-bit floating-point types.
template <int exponent_bits, int fraction_bits>
class std::numeric_limits<ddx::Float16<exponent_bits, fraction_bits>> {
  using T = ddx::Float16<exponent_bits, fraction_bits>;

 public:
  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = true;
  static constexpr bool is_integer = false;
  static constexpr bool is_exact = false;
  static constexpr bool has_infinity = true;
  static constexpr bool has_quiet_NaN = true;
  static constexpr bool has_signaling_NaN = true;
  static constexpr std::float_denorm_style has_denorm = std::denorm_present;
  static constexpr bool has_denorm_loss = false;
  static constexpr std::float_round_style round_style = std::round_to_nearest;
  static constexpr bool is_iec559 = true;
  static constexpr bool is_bounded = true;
  static constexpr bool is_modulo = false;
  static constexpr bool traps = false;
  static constexpr bool tinyness_before = false;
  static constexpr int radix = 2;
  static constexpr int digits = fraction_bits + 1;
  static constexpr int digits10 = fraction_bits * 30103 / 100000;
  static constexpr int max_digits10 = digits * 30103 / 100000 + 2;
  static constexpr int max_exponent = T::bias + 1;
  static constexpr int min_exponent = 2 - T::bias;
  static constexpr int max_exponent10 = T::bias * 30103 / 100000;
  static constexpr int min_exponent10 = -((T::bias - 1) * 30103 / 100000);

  static constexpr T min() noexcept { return T::from_bits(T::fraction_mask + 1); }
  static constexpr T max() noexcept {
    return T::from_bits(static_cast<std::uint16_t>(T::infinity_bits - 1));
  }
  static constexpr T lowest() noexcept { return -max(); }
  static constexpr T epsilon() noexcept { return 1.0 / (1 << fraction_bits); }
  static constexpr T round_error() noexcept { return 0.5; }
  static constexpr T infinity() noexcept { return T::from_bits(T::infinity_bits); }
  static constexpr T quiet_NaN() noexcept {
    return T::from_bits(T::infinity_bits | 1U << (fraction_bits - 1));
  }
  static constexpr T signaling_NaN() noexcept { return T::from_bits(T::infinity_bits | 1U); }
  static constexpr T denorm_min() noexcept { return T::from_bits(1); }
};
