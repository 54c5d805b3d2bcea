/// \file
/// Partial derivatives that are longer than an expression; the rows of `scalar.def` name them.
///
/// At points without a finite derivative they return what docs/reference/derivatives.md says.

#pragma once

#include "ddx/ad/detail/digamma.h"
#include "ddx/ad/detail/emit_macros.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace ddx::detail {

/// Returns cotangent * partial, and 0 for a cotangent of 0 even where the partial is infinite or
/// NaN: a value that was computed and not used spreads nothing.
template <class T, class Partial>
[[nodiscard]] DDX_INLINE T scaled(T cotangent, Partial partial) {
  return cotangent == T(0) ? T(0) : cotangent * static_cast<T>(partial);
}

/// Returns: the slope of a quotient by its divisor, from the numerator and one over the divisor; 0
///          for a numerator of 0, whatever the divisor.
///
/// The sign is outside the product: where the slope is added to an adjoint, whose sums may be
/// reordered, LLVM 19 turns `a + p * -q` into `a - p * q` and lets that product be reordered too.
/// The square of the reciprocal would then leave the range.
template <class T>
[[nodiscard]] DDX_INLINE T slope_by_divisor(T numerator, T reciprocal) {
  return numerator == T(0) ? T(0) : -(numerator * reciprocal * reciprocal);
}

/// Returns: sin(x), the number that std::sin gives; puts its derivative cos(x) into `slope`.
///          Together they cost little more than one of them.
template <class T>
[[nodiscard]] DDX_INLINE T sine_and_slope(T x, T& slope) {
#if defined(__GLIBC__) && defined(_GNU_SOURCE)
  T sine, cosine;
  if constexpr (sizeof(T) == sizeof(float)) {
    ::sincosf(x, &sine, &cosine);
  } else if constexpr (sizeof(T) == sizeof(double)) {
    ::sincos(x, &sine, &cosine);
  } else {
    ::sincosl(x, &sine, &cosine);
  }
  slope = cosine;
  return sine;
#else
  slope = std::cos(x);
  return std::sin(x);
#endif
}

/// Returns: cos(x), the number that std::cos gives; puts its derivative -sin(x) into `slope`.
template <class T>
[[nodiscard]] DDX_INLINE T cosine_and_slope(T x, T& slope) {
  T cosine;
  slope = -sine_and_slope(x, cosine);
  return cosine;
}

/// 1, 0 or -1 as `x` is above, at or below zero; 0 for NaN. The derivative of |x|, 0 at the tie.
template <class T>
[[nodiscard]] DDX_INLINE constexpr T sign(T x) {
  return static_cast<T>((x > T(0)) - (x < T(0)));
}

/// Returns: 0, which first derivatives take for the slope at a point where it is infinite. Second
///          derivatives read NaN instead, by singular_slope, so that none is 0 silently.
template <class T>
[[nodiscard]] DDX_INLINE constexpr T slope_at_singularity([[maybe_unused]] T x) {
  return T(0);
}

/// Returns: what derivatives of derivatives compute in place of slope_at_singularity: NaN.
template <class T>
[[nodiscard]] DDX_INLINE constexpr T singular_slope([[maybe_unused]] T x) {
  return std::numeric_limits<T>::quiet_NaN();
}

/// Returns: the tangent of the result of a function that has such points, as scaled does.
template <class T, class Slope>
[[nodiscard]] DDX_INLINE T tangent_of_root(T tangent, Slope slope) {
  return scaled(tangent, slope);
}

/// Returns: what derivatives of derivatives compute in place of tangent_of_root. A tangent of 0 may
///          be that of a square, whose root has another one: it is NaN where the slope is.
template <class T, class Slope>
[[nodiscard]] DDX_INLINE T singular_tangent(T tangent, Slope slope) {
  return tangent * static_cast<T>(slope);
}

/// Returns: `r`, the result of such a function where its slope is infinite at r = 0. Derivatives
///          compute it by this name, so that its tangent is NaN there, in second derivatives.
template <class T>
[[nodiscard]] DDX_INLINE constexpr T singular_at_zero(T r) {
  return r;
}

/// The derivative of singular_at_zero.
template <class T>
[[nodiscard]] DDX_INLINE constexpr T singular_at_zero_slope(T r) {
  return r == T(0) ? std::numeric_limits<T>::quiet_NaN() : T(1);
}

/// Returns: the cotangent of the argument of singular_at_zero, as scaled by its slope: one choice,
///          without a product.
template <class Cotangent, class T>
[[nodiscard]] DDX_INLINE Cotangent singular_cotangent(Cotangent cotangent, T r) {
  return r == T(0) ? scaled(cotangent, std::numeric_limits<T>::quiet_NaN()) : cotangent;
}

/// a / b, or 0 where b is 0: finite values whose derivative is not.
template <class T>
[[nodiscard]] DDX_INLINE constexpr T ratio_or_zero(T a, T b) {
  return b == T(0) ? slope_at_singularity(b) : a / b;
}

/// Returns: what derivatives of derivatives compute in place of ratio_or_zero: NaN where b is 0.
template <class T>
[[nodiscard]] DDX_INLINE constexpr T singular_ratio(T a, T b) {
  return b == T(0) ? singular_slope(b) : a / b;
}

/// 1 / sqrt(x), or 0 where x is 0.
template <class T>
[[nodiscard]] DDX_INLINE T inverse_sqrt_or_zero(T x) {
  return x == T(0) ? slope_at_singularity(x) : T(1) / std::sqrt(x);
}

/// The slope of arc_ratio by x: (x arc_ratio(x) - 1) / (1 - x^2). Near 1 by its power series in
/// t = 1 - x: there arc_ratio is the sum of a_n t^n with a_n = n / (2 n + 1) a_(n - 1), a_0 = 1.
template <class T>
[[nodiscard]] T arc_ratio_slope(T x, T ratio) {
  const T t = T(1) - x;
  if (std::abs(t) > T(0.125)) {
    return t * (T(1) + x) == T(0) ? T(0) : (x * ratio - T(1)) / (t * (T(1) + x));
  }
  constexpr int terms = 20;  // (t / 2)^20 is below 2^-64, as much as any type resolves.
  T sum = T(0);
  T factor = T(1);
  T power = T(1);
  for (int n = 1; n <= terms; ++n) {
    factor *= T(n) / T(2 * n + 1);
    sum -= T(n) * factor * power;
    power *= t;
  }
  return sum;
}

/// For r = acos(x) r / sin(r), for r = acosh(x) r / sinh(r): 1 at x = 1, and 0 where the quotient
/// is infinite at x = -1.
template <class T>
[[nodiscard]] DDX_INLINE T arc_ratio(T x, T r) {
  return r == T(0) ? T(1) : r * inverse_sqrt_or_zero(std::abs((T(1) - x) * (T(1) + x)));
}

/// a / (x^2 + y^2), or 0 at the origin and at infinity; right also where the squares overflow or
/// underflow.
/// Primal: r = atan2(y, x); adj[y] += x / (x^2 + y^2) adj[r], adj[x] -= y / (x^2 + y^2) adj[r].
template <class T>
[[nodiscard]] DDX_INLINE T over_squared_norm(T a, T x, T y) {
  const T square = x * x + y * y;
  if (square >= std::numeric_limits<T>::min() && square <= std::numeric_limits<T>::max()) {
    return a / square;
  }
  const T norm = std::hypot(x, y);
  if (std::isinf(norm)) {
    return T(0);
  }
  return norm == T(0) ? slope_at_singularity(x) : a / norm / norm;
}

/// The partial of r = x^y by x: y x^(y - 1). 0 where y is 0, and where x is 0 and 0 < y < 1. For y
/// = 0 it is written so that its own partial by y is right: 1 / x.
template <class T>
[[nodiscard]] DDX_INLINE T pow_base_partial(T x, T y, T r) {
  if (y == T(0)) {
    return x < T(0) || x > T(0) ? y / x : T(0);
  }
  if (__builtin_constant_p(y)) {
    return x == T(0) && y > T(0) && y < T(1) ? slope_at_singularity(x) : y * std::pow(x, y - T(1));
  }
  // A division costs a fifth of a power, but is right only where r has all its digits.
  if (std::abs(r) >= std::numeric_limits<T>::min() &&
      std::abs(r) <= std::numeric_limits<T>::max()) {
    return y * (r / x);
  }
  return x == T(0) && y > T(0) && y < T(1) ? slope_at_singularity(x) : y * std::pow(x, y - T(1));
}

/// The partial of r = x^y by y: r log x for x > 0. 0 for x <= 0, where the power is defined at
/// isolated exponents only, so that a constant exponent never yields NaN.
template <class T>
[[nodiscard]] DDX_INLINE T pow_exponent_partial(T x, T r) {
  return x > T(0) ? r * std::log(x) : T(0);
}

/// The multiple of y that fmod(x, y) and remainder(x, y) take from x to leave r.
template <class T>
[[nodiscard]] DDX_INLINE T whole_quotient(T x, T y, T r) {
  return std::round((x - r) / y);
}

/// 2 / sqrt(pi) exp(-x^2), the derivative of erf.
template <class T>
[[nodiscard]] DDX_INLINE T erf_partial(T x) {
  return T(2) * std::numbers::inv_sqrtpi_v<T> * std::exp(-x * x);
}

}  // namespace ddx::detail
