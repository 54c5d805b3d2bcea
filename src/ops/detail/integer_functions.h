/// \file
/// `Function<op>` of the operations on bits, of the remainders and of the quotient rounded down.

#pragma once

#include "ddx/ops/op.h"

#include "ops/detail/functions.h"

#include <cmath>
#include <limits>
#include <type_traits>

namespace ddx::ops::detail {

template <>
struct Function<Op::squared_difference> {
  template <class T>
  static T apply(T a, T b) noexcept {
    return Function<Op::square>::apply(Function<Op::sub>::apply(a, b));
  }
};

template <>
struct Function<Op::remainder> {
  /// a - b floor(a / b), without rounding where |a| and |b| are of one sign.
  template <class T>
  static T apply(T a, T b) noexcept {
    if constexpr (std::is_floating_point_v<T>) {
      const T rest = std::fmod(a, b);
      if (rest == 0) {
        return std::copysign(rest, b);
      }
      return (rest < 0) == (b < 0) ? rest : rest + b;
    } else if constexpr (std::is_signed_v<T>) {
      // By -1 the quotient may not fit; the front end has excluded b = 0.
      const T rest = b == -1 ? T{} : static_cast<T>(a % b);
      return rest == 0 || (rest < 0) == (b < 0) ? rest : static_cast<T>(rest + b);
    } else {
      return static_cast<T>(a % b);
    }
  }
};

template <>
struct Function<Op::fmod> {
  /// a - b trunc(a / b), without rounding.
  template <class T>
  static T apply(T a, T b) noexcept {
    if constexpr (std::is_floating_point_v<T>) {
      return std::fmod(a, b);
    } else if constexpr (std::is_signed_v<T>) {
      return b == -1 ? T{} : static_cast<T>(a % b);  // By -1 the quotient may not fit.
    } else {
      return static_cast<T>(a % b);
    }
  }
};

template <>
struct Function<Op::floor_divide> {
  /// floor(a / b) of the exact quotient, which a / b may round up to the next integer.
  template <class T>
  static T apply(T a, T b) noexcept {
    if constexpr (std::is_floating_point_v<T>) {
      if (b == 0) {
        return a / b;
      }
      const T rest = std::fmod(a, b);
      const T quotient = (a - rest) / b - (rest != 0 && (rest < 0) != (b < 0) ? 1 : 0);
      return quotient == 0 ? std::copysign(T{0}, a / b) : std::round(quotient);
    } else if constexpr (std::is_signed_v<T>) {
      const T quotient = Function<Op::div>::apply(a, b);
      const T rest = Function<Op::fmod>::apply(a, b);
      return rest == 0 || (rest < 0) == (b < 0) ? quotient : static_cast<T>(quotient - 1);
    } else {
      return static_cast<T>(a / b);
    }
  }
};

template <>
struct Function<Op::bitwise_and> {
  template <class T>
  static T apply(T a, T b) noexcept {
    return static_cast<T>(a & b);
  }
};

template <>
struct Function<Op::bitwise_or> {
  template <class T>
  static T apply(T a, T b) noexcept {
    return static_cast<T>(a | b);
  }
};

template <>
struct Function<Op::bitwise_xor> {
  template <class T>
  static T apply(T a, T b) noexcept {
    return static_cast<T>(a ^ b);
  }
};

template <>
struct Function<Op::bitwise_not> {
  template <class T>
  static T apply(T x) noexcept {
    return static_cast<T>(~x);
  }
};

// The front end has excluded negative amounts; one of all bits or more leaves none of them.

template <class T>
inline constexpr T bits_of = static_cast<T>(std::numeric_limits<std::make_unsigned_t<T>>::digits);

template <>
struct Function<Op::left_shift> {
  template <class T>
  static T apply(T x, T amount) noexcept {
    return amount >= bits_of<T> ? T{} : wrapped<T>(word(x) << amount);
  }
};

template <>
struct Function<Op::right_shift> {
  template <class T>
  static T apply(T x, T amount) noexcept {
    if (amount >= bits_of<T>) {
      return x < T{} ? static_cast<T>(-1) : T{};
    }
    return static_cast<T>(x >> amount);
  }
};

}  // namespace ddx::ops::detail
