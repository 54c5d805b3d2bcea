/// \file
/// Bodies of functions of compilers and C libraries that have none in a unit: derivatives of LLVM
/// IR differentiate these instead. Included by synthesised text alone.

#pragma once

#include <cmath>

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc99-extensions"  // The signatures are those of C.
#endif

namespace ddx::detail {

/// A complex number, part by part.
template <class Real>
struct ComplexParts {
  Real real_part;
  Real imaginary_part;
};

/// Returns (a + ib)(c + id).
template <class Real>
[[nodiscard]] inline ComplexParts<Real> complex_product(Real a, Real b, Real c, Real d) noexcept {
  return {a * c - b * d, a * d + b * c};
}

/// Returns (a + ib) / (c + id). Formula: R. L. Smith, Algorithm 116, CACM 5 (1962).
template <class Real>
[[nodiscard]] inline ComplexParts<Real> complex_quotient(Real a, Real b, Real c, Real d) noexcept {
  if (std::fabs(c) >= std::fabs(d)) {
    const Real ratio = d / c;
    const Real scale = c + d * ratio;
    return {(a + b * ratio) / scale, (b - a * ratio) / scale};
  }
  const Real ratio = c / d;
  const Real scale = c * ratio + d;
  return {(a * ratio + b) / scale, (b * ratio - a) / scale};
}

/// modf: the derivative of the fraction is one, that of the whole part zero.
template <class Real>
[[nodiscard]] inline Real fraction_of(Real x, Real* whole) noexcept {
  *whole = std::trunc(x);
  return std::isinf(x) ? std::copysign(Real{0}, x) : x - *whole;
}

/// frexp: the derivative of the mantissa is a power of two.
template <class Real>
[[nodiscard]] inline Real mantissa_of(Real x, int* exponent) noexcept {
  if (x == 0 || !std::isfinite(x)) {
    *exponent = 0;
    return x;
  }
  *exponent = std::ilogb(x) + 1;
  return std::ldexp(x, -*exponent);
}

/// remquo: the remainder, and the sign and the low three bits of the quotient.
template <class Real>
[[nodiscard]] inline Real remainder_of(Real x, Real y, int* quotient) noexcept {
  const Real result = std::remainder(x, y);
  const Real eightfold = 8 * std::fabs(y);
  const Real part =
      std::isfinite(eightfold) && eightfold > 0 ? std::fmod(std::fabs(x), eightfold) : std::fabs(x);
  const Real rest = std::copysign(Real{1}, x) * result;
  const Real count = std::round((part - rest) / std::fabs(y));
  const int bits = std::isfinite(count) ? static_cast<int>(count) & 7 : 0;
  *quotient = std::signbit(x) == std::signbit(y) ? bits : -bits;
  return result;
}

#define DDX_COMPLEX_ARITHMETIC(c_name, function, real)                       \
  [[gnu::used]] static inline real _Complex memory##c_name(                  \
      real a, real b, real c, real d) noexcept __asm__("ddx.body." #c_name); \
  real _Complex memory##c_name(real a, real b, real c, real d) noexcept {    \
    const ComplexParts<real> result = function(a, b, c, d);                  \
    return __builtin_complex(result.real_part, result.imaginary_part);       \
  }
#define DDX_SPLIT(c_name, function, real, part)                   \
  [[gnu::used]] static inline real memory_##c_name(               \
      real x, part* place) noexcept __asm__("ddx.body." #c_name); \
  real memory_##c_name(real x, part* place) noexcept {            \
    return function(x, place);                                    \
  }
#define DDX_REMAINDER(c_name, real)                                         \
  [[gnu::used]] static inline real memory_##c_name(                         \
      real x, real y, int* quotient) noexcept __asm__("ddx.body." #c_name); \
  real memory_##c_name(real x, real y, int* quotient) noexcept {            \
    return remainder_of(x, y, quotient);                                    \
  }
#define DDX_SINE_AND_COSINE(c_name, real)                                      \
  [[gnu::used]] static inline void memory_##c_name(                            \
      real x, real* sine, real* cosine) noexcept __asm__("ddx.body." #c_name); \
  void memory_##c_name(real x, real* sine, real* cosine) noexcept {            \
    *sine = std::sin(x);                                                       \
    *cosine = std::cos(x);                                                     \
  }
#include "ddx/ad/detail/memory_bodies.def"

}  // namespace ddx::detail

#ifdef __clang__
#pragma clang diagnostic pop
#endif
