/// \file
/// For each row of scalar.def: the function it differentiates and points where it is smooth.

#pragma once

#include "ddx/ad/detail/math.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace ddx::testing {

/// A string as a template argument.
template <std::size_t N>
struct RowName {
  char text[N];
  consteval RowName(const char (&name)[N]) { std::copy_n(name, N, text); }
};

/// Operands; those beyond the arity stay zero.
struct Point {
  double x = 0;
  double y = 0;
  double z = 0;
};

/// The function of a row and its points. A row that has none here does not compile in the tests.
template <RowName name, unsigned arity>
struct ScalarRow;

// ROW(name, arity, value in x, y, z, points...) and the same for a second operand that is an int.
#define DDX_ROW_WITH(name, arity, Second, expression, ...)                             \
  template <>                                                                          \
  struct ScalarRow<name, arity> {                                                      \
    static constexpr bool integer_second = Second;                                     \
    static constexpr auto points = std::to_array<Point>({__VA_ARGS__});                \
    template <class T>                                                                 \
    static T value([[maybe_unused]] T x, [[maybe_unused]] T y, [[maybe_unused]] T z) { \
      return expression;                                                               \
    }                                                                                  \
  };
#define DDX_ROW(name, arity, expression, ...) \
  DDX_ROW_WITH(name, arity, false, expression, __VA_ARGS__)
#define DDX_INTEGER_ROW(name, arity, expression, ...) \
  DDX_ROW_WITH(name, arity, true, expression, __VA_ARGS__)

// clang-format off
DDX_ROW("add", 2, x + y, {1.5, -0.7}, {-3.2, 8.1}, {0, 0})
DDX_ROW("sub", 2, x - y, {1.5, -0.7}, {-3.2, 8.1}, {0, 0})
DDX_ROW("mul", 2, x * y, {1.5, -0.7}, {-3.2, 8.1}, {0, 2})
DDX_ROW("div", 2, x / y, {1.5, -0.7}, {-3.2, 8.1}, {0, 2}, {5, 0.3})
DDX_ROW("neg", 1, -x, {1.5}, {-3.2}, {0})
DDX_ROW("fma", 3, std::fma(x, y, z), {1.5, -0.7, 2.1}, {-3.2, 8.1, 0.4}, {0, 2, 3})
DDX_ROW("lerp", 3, x + z * (y - x), {1.5, -0.7, 0.25}, {-3.2, 8.1, 0.9}, {2, 3, 1.5})

DDX_ROW("sin", 1, std::sin(x), {-2.3}, {0}, {0.6}, {11})
DDX_ROW("cos", 1, std::cos(x), {-2.3}, {0}, {0.6}, {11})
DDX_ROW("tan", 1, std::tan(x), {-1.2}, {0}, {0.6}, {3.5})
DDX_ROW("asin", 1, std::asin(x), {-0.9}, {0}, {0.4}, {0.97})
DDX_ROW("acos", 1, std::acos(x), {-0.9}, {0}, {0.4}, {0.97})
DDX_ROW("atan", 1, std::atan(x), {-7}, {0}, {0.4}, {1.7})
DDX_ROW("atan2", 2, std::atan2(x, y), {1, 2}, {1, -2}, {-1.3, 0.4}, {-0.2, 3}, {2, 0})

DDX_ROW("sinh", 1, std::sinh(x), {-2.1}, {0}, {0.7}, {4})
DDX_ROW("cosh", 1, std::cosh(x), {-2.1}, {0}, {0.7}, {4})
DDX_ROW("tanh", 1, std::tanh(x), {-2.1}, {0}, {0.7}, {4})
DDX_ROW("asinh", 1, std::asinh(x), {-9}, {0}, {0.7}, {4})
DDX_ROW("acosh", 1, std::acosh(x), {1.2}, {2}, {9})
DDX_ROW("atanh", 1, std::atanh(x), {-0.9}, {0}, {0.4}, {0.97})

DDX_ROW("exp", 1, std::exp(x), {-3}, {0}, {0.7}, {5})
DDX_ROW("exp2", 1, std::exp2(x), {-3}, {0}, {0.7}, {5})
DDX_ROW("expm1", 1, std::expm1(x), {-3}, {0}, {0.7}, {5})
DDX_ROW("log", 1, std::log(x), {0.05}, {0.7}, {1}, {12})
DDX_ROW("log2", 1, std::log2(x), {0.05}, {0.7}, {1}, {12})
DDX_ROW("log10", 1, std::log10(x), {0.05}, {0.7}, {1}, {12})
DDX_ROW("log1p", 1, std::log1p(x), {-0.8}, {0}, {0.7}, {12})

DDX_ROW("pow", 2, std::pow(x, y), {2, 3}, {0.4, -1.7}, {1, 0.5}, {6, 0.2}, {3, 0})
DDX_ROW("sqrt", 1, std::sqrt(x), {0.09}, {1}, {14})
DDX_ROW("cbrt", 1, std::cbrt(x), {-2}, {0.09}, {14})
DDX_ROW("hypot", 2, std::hypot(x, y), {3, 4}, {-0.2, 1}, {0, 2}, {5, 0})
DDX_ROW("hypot", 3, std::hypot(x, y, z), {3, 4, 5}, {-0.2, 1, 0.3}, {0, 0, -2})

DDX_ROW("fabs", 1, std::fabs(x), {-2}, {0.3})
DDX_ROW("abs", 1, std::abs(x), {-2}, {0.3})
DDX_ROW("copysign", 2, std::copysign(x, y), {-2, 3}, {-2, -3}, {0.3, -1}, {0.3, 1})

DDX_ROW("fmax", 2, std::fmax(x, y), {1, 2}, {2, 1}, {-3, -4})
DDX_ROW("fmin", 2, std::fmin(x, y), {1, 2}, {2, 1}, {-3, -4})
DDX_ROW("fdim", 2, std::fdim(x, y), {1, 2}, {2, 1}, {-3, -4})
DDX_ROW("std::max", 2, std::max(x, y), {1, 2}, {2, 1}, {-3, -4})
DDX_ROW("std::min", 2, std::min(x, y), {1, 2}, {2, 1}, {-3, -4})
DDX_ROW("std::clamp", 3, std::clamp(x, y, z), {0, 1, 2}, {1.5, 1, 2}, {3, 1, 2})

DDX_ROW("fmod", 2, std::fmod(x, y), {7.3, 2}, {-7.3, 2}, {7.3, -2}, {0.4, 3}, {11.9, 2.99})
DDX_ROW("remainder", 2, std::remainder(x, y), {7.3, 2}, {-7.3, 2}, {6.7, -2}, {0.4, 3}, {11.9, 2.99})
DDX_ROW("floor", 1, std::floor(x), {-1.4}, {0.6}, {2.5})
DDX_ROW("ceil", 1, std::ceil(x), {-1.4}, {0.6}, {2.5})
DDX_ROW("trunc", 1, std::trunc(x), {-1.4}, {0.6}, {2.5})
DDX_ROW("round", 1, std::round(x), {-1.4}, {0.6}, {2.4})
DDX_ROW("rint", 1, std::rint(x), {-1.4}, {0.6}, {2.4})
DDX_ROW("nearbyint", 1, std::nearbyint(x), {-1.4}, {0.6}, {2.4})
DDX_ROW("nextafter", 2, std::nextafter(x, y), {1.4, 2}, {-0.6, 0.3}, {2.4, -1})
DDX_ROW("logb", 1, std::logb(x), {-1.4}, {0.6}, {2.4})

DDX_ROW("erf", 1, std::erf(x), {-1.3}, {0}, {0.4}, {2.5})
DDX_ROW("erfc", 1, std::erfc(x), {-1.3}, {0}, {0.4}, {2.5})
DDX_ROW("lgamma", 1, std::lgamma(x), {-2.4}, {-0.5}, {0.3}, {1.5}, {4}, {25})
DDX_ROW("tgamma", 1, std::tgamma(x), {-2.4}, {-0.5}, {0.3}, {1.5}, {4}, {9.5})

DDX_INTEGER_ROW("ldexp", 2, std::ldexp(x, static_cast<int>(y)), {1.3, 3}, {-0.7, -2}, {0, 1})
DDX_INTEGER_ROW("scalbn", 2, std::scalbn(x, static_cast<int>(y)), {1.3, 3}, {-0.7, -2}, {0, 1})
DDX_INTEGER_ROW("scalbln", 2, std::scalbln(x, static_cast<long>(y)), {1.3, 3}, {-0.7, -2}, {0, 1})

DDX_ROW("ddx::detail::scaled", 2, ::ddx::detail::scaled(x, y), {1.3, -0.7}, {-2, 3}, {0, 2})
// clang-format on

#undef DDX_ROW
#undef DDX_INTEGER_ROW
#undef DDX_ROW_WITH

}  // namespace ddx::testing
