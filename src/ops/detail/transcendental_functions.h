/// \file
/// `Function<op>` of the logarithms, circular, hyperbolic and special functions.

#pragma once

#include "ddx/ops/op.h"

#include "ops/detail/functions.h"
#include "ops/detail/gamma.h"

#include <cmath>
#include <numbers>

namespace ddx::ops::detail {

template <>
struct Function<Op::exp2> {
  static double apply(double x) noexcept { return std::exp2(x); }
};

template <>
struct Function<Op::log2> {
  static double apply(double x) noexcept { return std::log2(x); }
};

template <>
struct Function<Op::log10> {
  static double apply(double x) noexcept { return std::log10(x); }
};

template <>
struct Function<Op::tan> {
  static double apply(double x) noexcept { return std::tan(x); }
};

template <>
struct Function<Op::asin> {
  static double apply(double x) noexcept { return std::asin(x); }
};

template <>
struct Function<Op::acos> {
  static double apply(double x) noexcept { return std::acos(x); }
};

template <>
struct Function<Op::atan> {
  static double apply(double x) noexcept { return std::atan(x); }
};

template <>
struct Function<Op::sinh> {
  static double apply(double x) noexcept { return std::sinh(x); }
};

template <>
struct Function<Op::cosh> {
  static double apply(double x) noexcept { return std::cosh(x); }
};

template <>
struct Function<Op::asinh> {
  static double apply(double x) noexcept { return std::asinh(x); }
};

template <>
struct Function<Op::acosh> {
  static double apply(double x) noexcept { return std::acosh(x); }
};

template <>
struct Function<Op::atanh> {
  static double apply(double x) noexcept { return std::atanh(x); }
};

template <>
struct Function<Op::erf> {
  static double apply(double x) noexcept { return std::erf(x); }
};

template <>
struct Function<Op::erfc> {
  static double apply(double x) noexcept { return std::erfc(x); }
};

template <>
struct Function<Op::gelu> {
  // By erfc, which keeps its digits where the distribution function is small. Below -40 it is 0,
  // also in the product with an infinity.
  static double apply(double x) noexcept {
    return 0.5 * std::fmax(x, -40.0) * std::erfc(-x / std::sqrt(2.0));
  }
};

/// 2 sqrt(2 / pi)
inline constexpr double gelu_tanh_factor = 1.5957691216057307;
/// The exponential of -gelu_tanh_exponent(x) is 0 from here on, also in the product with x.
inline constexpr double gelu_tanh_end = 23;

/// 2 sqrt(2 / pi) (x + 0.044715 x^3)
inline double gelu_tanh_exponent(double x) noexcept {
  return x * (x * x * (0.044715 * gelu_tanh_factor) + gelu_tanh_factor);
}

template <>
struct Function<Op::gelu_tanh> {
  // (1 + tanh(u)) / 2 = 1 / (1 + e^-2u), by the exponential of a negative number.
  static double apply(double x) noexcept {
    const double size = std::fmin(std::fabs(x), gelu_tanh_end);
    const double e = std::exp(-gelu_tanh_exponent(size));
    return (x < 0 ? -size * e : x) / (1 + e);
  }
};

template <>
struct Function<Op::gelu_tanh_gradient> {
  static double apply(double dy, double x) noexcept {
    // s + x s (1 - s) u', where u is the exponent above and s is sigmoid(u).
    const double size = std::fmin(std::fabs(x), gelu_tanh_end);
    const double e = std::exp(-gelu_tanh_exponent(size));
    const double through =
        size * (size * size * (3 * 0.044715 * gelu_tanh_factor) + gelu_tanh_factor);
    const double numerator = x < 0 ? e * (1 + e - through) : 1 + e + through * e;
    const double slope = x != x ? x : numerator / ((1 + e) * (1 + e));
    return Function<Op::cotangent_product>::apply(dy, slope);
  }
};

template <>
struct Function<Op::silu> {
  // Below -800 the exponential of x is 0, also in the product with an infinity.
  static double apply(double x) noexcept {
    return x < 0 ? std::fmax(x, -800.0) * std::exp(x) / (1 + std::exp(x)) : x / (1 + std::exp(-x));
  }
};

template <>
struct Function<Op::silu_gradient> {
  static double apply(double dy, double x) noexcept {
    // s + x s (1 - s), by the exponential of a negative number.
    const double size = std::fmin(std::fabs(x), 800.0);
    const double e = std::exp(-size);
    const double numerator = x < 0 ? e * (1 + e - size) : 1 + e + size * e;
    const double slope = x != x ? x : numerator / ((1 + e) * (1 + e));
    return Function<Op::cotangent_product>::apply(dy, slope);
  }
};

template <>
struct Function<Op::gelu_gradient> {
  static double apply(double dy, double x) noexcept {
    const double distribution = 0.5 * std::erfc(-x / std::sqrt(2.0));
    const double density = std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi);
    return Function<Op::cotangent_product>::apply(dy, distribution + x * density);
  }
};

template <>
struct Function<Op::lgamma> {
  static double apply(double x) noexcept { return log_gamma(x); }
};

template <>
struct Function<Op::digamma> {
  static double apply(double x) noexcept { return digamma(x); }
};

template <>
struct Function<Op::polygamma> {
  static double apply(double order, double x) noexcept { return polygamma(order, x); }
};

template <>
struct Function<Op::atan2> {
  static double apply(double y, double x) noexcept { return std::atan2(y, x); }
};

template <>
struct Function<Op::hypot> {
  static double apply(double a, double b) noexcept { return std::hypot(a, b); }
};

template <>
struct Function<Op::is_finite> {
  static bool apply(double x) noexcept { return std::isfinite(x); }
};

template <>
struct Function<Op::is_inf> {
  static bool apply(double x) noexcept { return std::isinf(x); }
};

template <>
struct Function<Op::is_nan> {
  static bool apply(double x) noexcept { return std::isnan(x); }
};

}  // namespace ddx::ops::detail
