/// \file
/// Random numbers from the words of a key, by arithmetic that compilers make vectors of and that
/// gives the same bits at every instruction set: without calls, branches and fused products.

#pragma once

#include "ddx/core/float16.h"
#include "ddx/core/random_key.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace ddx::ops::detail {

/// The largest number below `high`, which is above `low`.
template <class T>
T number_below(T high, T low) noexcept {
  if constexpr (std::is_floating_point_v<T>) {
    return std::nextafter(high, low);
  } else {
    return next_below(high);
  }
}

/// The four words of a block, each in 64 bits.
struct BlockWords {
  std::uint64_t a;
  std::uint64_t b;
  std::uint64_t c;
  std::uint64_t d;
};

/// The words that RandomKey::words gives for a block. `state` is that of the key.
[[gnu::always_inline]] inline BlockWords block_words(const std::array<std::uint64_t, 2>& state,
                                                     std::uint64_t block) noexcept {
  constexpr std::uint64_t low = 0xFFFFFFFF;
  BlockWords w{block & low, block >> 32, state[1] & low, state[1] >> 32};
  std::uint64_t key_0 = state[0] & low;
  std::uint64_t key_1 = state[0] >> 32;
#pragma clang loop unroll(full)
  for (int round = 0; round < 10; ++round) {  // As philox4x32.
    const std::uint64_t product_0 = 0xD2511F53U * w.a;
    const std::uint64_t product_1 = 0xCD9E8D57U * w.c;
    w = {(product_1 >> 32) ^ w.b ^ key_0, product_1 & low, (product_0 >> 32) ^ w.d ^ key_1,
         product_0 & low};
    key_0 = (key_0 + 0x9E3779B9U) & low;
    key_1 = (key_1 + 0xBB67AE85U) & low;
  }
  return w;
}

/// A number of 32 bits as a double, exactly.
[[gnu::always_inline]] inline double word_as_double(std::uint64_t word) noexcept {
  return std::bit_cast<double>(word | 0x4330000000000000U) - 0x1p52;
}

/// 53 bits of two words as a number in [0, 1).
[[gnu::always_inline]] inline double unit_interval(std::uint64_t high, std::uint64_t low) noexcept {
#pragma clang fp contract(off)
  return word_as_double(high) * 0x1p-32 + word_as_double(low >> 11) * 0x1p-53;
}

/// log(x) of x in [2^-53, 1], within one unit in the last place.
///
/// Source:  FreeBSD's e_log.c: log(2^k m) = k log(2) + log(1 + f), with s = f / (2 + f).
[[gnu::always_inline]] inline double log_of_unit(double x) noexcept {
#pragma clang fp contract(off)
  constexpr std::uint64_t root_half = 0x3FE6A09E667F3BCDU;  // m is in [sqrt(1/2), sqrt(2)).
  constexpr std::uint64_t one = 0x3FF0000000000000U;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x) + (one - root_half);
  // k = bits >> 52 less 1023, by the mantissa of a large double.
  const double k = std::bit_cast<double>((bits >> 52) | 0x4330000000000000U) - (0x1p52 + 1023);
  const double f = std::bit_cast<double>((bits & 0x000FFFFFFFFFFFFFU) + root_half) - 1;
  const double s = f / (2 + f);
  const double z = s * s;
  const double w = z * z;
  const double even = w * (3.999999999940941908e-01 +
                           w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
  const double odd = z * (6.666666666666735130e-01 +
                          w * (2.857142874366239149e-01 +
                               w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
  const double half_square = 0.5 * f * f;
  return k * 6.93147180369123816490e-01 -
         ((half_square - (s * (half_square + (even + odd)) + k * 1.90821492927058770002e-10)) - f);
}

/// The cosine and the sine of an angle.
struct Direction {
  double cosine;
  double sine;
};

/// Of the angle of `turn` turns, in [0, 1).
///
/// Source:  FreeBSD's k_cos.c and k_sin.c, behind a reduction to a quarter of a turn that is exact.
[[gnu::always_inline]] inline Direction direction_of(double turn) noexcept {
#pragma clang fp contract(off)
  constexpr double rounder = 0x1.8p52;  // What is added to it is rounded to an integer.
  const double shifted = turn * 4 + rounder;
  const auto quarter = std::bit_cast<std::uint64_t>(shifted);  // Its last two bits count.
  const double x = (turn * 4 - (shifted - rounder)) * 1.57079632679489661923;
  const double z = x * x;
  const double w = z * z;
  const double sine_rest = 8.33333333332248946124e-03 +
                           z * (-1.98412698298579493134e-04 + z * 2.75573137070700676789e-06) +
                           z * w * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10);
  const double sine = x + z * x * (-1.66666666666666324348e-01 + z * sine_rest);
  const double cosine_rest =
      z * (4.16666666666666019037e-02 +
           z * (-1.38888888888741095749e-03 + z * 2.48015872894767294178e-05)) +
      w * w *
          (-2.75573143513906633035e-07 +
           z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11));
  const double half = 0.5 * z;
  const double near = 1 - half;
  const double cosine = near + (((1 - near) - half) + z * cosine_rest);
  // A quarter of a turn is (c, s) -> (-s, c), two are (c, s) -> (-c, -s).
  const std::uint64_t swap = 0 - (quarter & 1);
  const std::uint64_t c = std::bit_cast<std::uint64_t>(cosine);
  const std::uint64_t s = std::bit_cast<std::uint64_t>(sine);
  const std::uint64_t minus_cosine = ((quarter + 1) & 2) << 62;
  const std::uint64_t minus_sine = (quarter & 2) << 62;
  return {std::bit_cast<double>(((c & ~swap) | (s & swap)) ^ minus_cosine),
          std::bit_cast<double>(((s & ~swap) | (c & swap)) ^ minus_sine)};
}

/// The square root, as an instruction.
[[gnu::always_inline]] inline double root_of(double x) noexcept {
  return __builtin_elementwise_sqrt(x);
}

/// Two numbers of the standard normal distribution from the words of a block, by the method of Box
/// and Muller. None is infinite.
[[gnu::always_inline]] inline Direction normal_pair(const BlockWords& words) noexcept {
#pragma clang fp contract(off)
  const double radius = root_of(-2 * log_of_unit(1 - unit_interval(words.a, words.b)));
  const Direction direction = direction_of(unit_interval(words.c, words.d));
  return {radius * direction.cosine, radius * direction.sine};
}

}  // namespace ddx::ops::detail
