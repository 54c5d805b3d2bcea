/// \file
/// The elementwise operations as functions of numbers. `Function<op>` must be specialised for each
/// row of the families Unary, Binary, Comparison and Predicate, here or in one of the neighbours
/// *_functions.h; floating elements arrive as double.

#pragma once

#include "ddx/ops/op.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace ddx::ops::detail {

template <Op op>
struct Function;

/// The integer with the low bits of `word`.
template <class T>
T wrapped(std::uint64_t word) noexcept {
  return static_cast<T>(word);
}

template <class T>
std::uint64_t word(T value) noexcept {
  return static_cast<std::uint64_t>(value);
}

template <>
struct Function<Op::neg> {
  template <class T>
  static T apply(T x) noexcept {
    if constexpr (std::is_floating_point_v<T>) {
      return -x;
    } else {
      return wrapped<T>(0 - word(x));
    }
  }
};

template <>
struct Function<Op::abs> {
  template <class T>
  static T apply(T x) noexcept {
    if constexpr (std::is_floating_point_v<T>) {
      return std::abs(x);
    } else {
      return x < T{} ? Function<Op::neg>::apply(x) : x;
    }
  }
};

template <>
struct Function<Op::sign> {
  template <class T>
  static T apply(T x) noexcept {
    if constexpr (std::is_unsigned_v<T>) {
      return x == T{} ? T{0} : T{1};
    } else {
      return x > T{} ? T{1} : x < T{} ? static_cast<T>(-1) : x;
    }
  }
};

template <>
struct Function<Op::square> {
  template <class T>
  static T apply(T x) noexcept {
    if constexpr (std::is_floating_point_v<T>) {
      return x * x;
    } else {
      return wrapped<T>(word(x) * word(x));
    }
  }
};

template <>
struct Function<Op::relu> {
  template <class T>
  static T apply(T x) noexcept {
    return x < T{} ? T{} : x;
  }
};

template <>
struct Function<Op::reciprocal> {
  static double apply(double x) noexcept { return 1 / x; }
};

template <>
struct Function<Op::exp> {
  static double apply(double x) noexcept { return std::exp(x); }
};

template <>
struct Function<Op::expm1> {
  static double apply(double x) noexcept { return std::expm1(x); }
};

template <>
struct Function<Op::log> {
  static double apply(double x) noexcept { return std::log(x); }
};

template <>
struct Function<Op::log1p> {
  static double apply(double x) noexcept { return std::log1p(x); }
};

template <>
struct Function<Op::sqrt> {
  static double apply(double x) noexcept { return std::sqrt(x); }
};

template <>
struct Function<Op::rsqrt> {
  static double apply(double x) noexcept { return 1 / std::sqrt(x); }
};

template <>
struct Function<Op::sin> {
  static double apply(double x) noexcept { return std::sin(x); }
};

template <>
struct Function<Op::cos> {
  static double apply(double x) noexcept { return std::cos(x); }
};

template <>
struct Function<Op::tanh> {
  static double apply(double x) noexcept { return std::tanh(x); }
};

template <>
struct Function<Op::sigmoid> {
  static double apply(double x) noexcept {
    // exp of a negative number only, so that nothing overflows.
    const double small = std::exp(-std::abs(x));
    return (x < 0 ? small : 1) / (1 + small);
  }
};

template <>
struct Function<Op::floor> {
  static double apply(double x) noexcept { return std::floor(x); }
};

template <>
struct Function<Op::ceil> {
  static double apply(double x) noexcept { return std::ceil(x); }
};

template <>
struct Function<Op::round> {
  static double apply(double x) noexcept {
    // Does not depend on the rounding mode of the thread.
    const double down = std::floor(x);
    const double above = x - down;
    if (above != 0.5) {
      return above < 0.5 ? down : down + 1;
    }
    return std::fmod(down, 2) == 0 ? down : down + 1;
  }
};

template <>
struct Function<Op::logical_not> {
  static bool apply(bool x) noexcept { return !x; }
};

template <>
struct Function<Op::add> {
  template <class T>
  static T apply(T a, T b) noexcept {
    if constexpr (std::is_floating_point_v<T>) {
      return a + b;
    } else {
      return wrapped<T>(word(a) + word(b));
    }
  }
};

template <>
struct Function<Op::sub> {
  template <class T>
  static T apply(T a, T b) noexcept {
    if constexpr (std::is_floating_point_v<T>) {
      return a - b;
    } else {
      return wrapped<T>(word(a) - word(b));
    }
  }
};

template <>
struct Function<Op::mul> {
  template <class T>
  static T apply(T a, T b) noexcept {
    if constexpr (std::is_floating_point_v<T>) {
      return a * b;
    } else {
      return wrapped<T>(word(a) * word(b));
    }
  }
};

template <>
struct Function<Op::div> {
  template <class T>
  static T apply(T a, T b) noexcept {
    if constexpr (std::is_floating_point_v<T>) {
      return a / b;
    } else if constexpr (std::is_signed_v<T>) {
      // The smallest number divided by -1 wraps around; the front end has excluded b = 0.
      return b == -1 ? Function<Op::neg>::apply(a) : static_cast<T>(a / b);
    } else {
      return static_cast<T>(a / b);
    }
  }
};

template <>
struct Function<Op::pow> {
  static double apply(double a, double b) noexcept { return std::pow(a, b); }
};

template <>
struct Function<Op::maximum> {
  template <class T>
  static T apply(T a, T b) noexcept {
    return a > b || a != a ? a : b;  // A NaN wins.
  }
};

template <>
struct Function<Op::minimum> {
  template <class T>
  static T apply(T a, T b) noexcept {
    return a < b || a != a ? a : b;  // A NaN wins.
  }
};

template <>
struct Function<Op::cotangent_product> {
  static double apply(double dy, double f) noexcept { return dy == 0 ? dy : dy * f; }
};

template <>
struct Function<Op::cotangent_quotient> {
  static double apply(double dy, double x) noexcept { return dy == 0 ? dy : dy / x; }
};

template <>
struct Function<Op::relu_gradient> {
  static double apply(double dy, double y) noexcept { return y > 0 ? dy : 0; }
};

template <>
struct Function<Op::tanh_gradient> {
  static double apply(double dy, double y) noexcept {
    return Function<Op::cotangent_product>::apply(dy, 1 - y * y);
  }
};

template <>
struct Function<Op::sigmoid_gradient> {
  static double apply(double dy, double y) noexcept { return dy == 0 ? dy : dy * y * (1 - y); }
};

template <>
struct Function<Op::logical_and> {
  static bool apply(bool a, bool b) noexcept { return a && b; }
};

template <>
struct Function<Op::logical_or> {
  static bool apply(bool a, bool b) noexcept { return a || b; }
};

template <>
struct Function<Op::equal> {
  template <class T>
  static bool apply(T a, T b) noexcept {
    return a == b;
  }
};

template <>
struct Function<Op::not_equal> {
  template <class T>
  static bool apply(T a, T b) noexcept {
    return a != b;
  }
};

template <>
struct Function<Op::less> {
  template <class T>
  static bool apply(T a, T b) noexcept {
    return a < b;
  }
};

template <>
struct Function<Op::less_equal> {
  template <class T>
  static bool apply(T a, T b) noexcept {
    return a <= b;
  }
};

template <>
struct Function<Op::greater> {
  template <class T>
  static bool apply(T a, T b) noexcept {
    return a > b;
  }
};

template <>
struct Function<Op::greater_equal> {
  template <class T>
  static bool apply(T a, T b) noexcept {
    return a >= b;
  }
};

}  // namespace ddx::ops::detail
