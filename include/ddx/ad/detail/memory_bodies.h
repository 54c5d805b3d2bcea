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
  Real real;
  Real imaginary;
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

/// complex_product.
[[gnu::used]] static inline double _Complex memory_muldc3(double a, double b, double c,
                                                          double d) noexcept
    __asm__("ddx.body.__muldc3");
double _Complex memory_muldc3(double a, double b, double c, double d) noexcept {
  const auto [real, imaginary] = complex_product(a, b, c, d);
  return __builtin_complex(real, imaginary);
}

/// complex_quotient.
[[gnu::used]] static inline double _Complex memory_divdc3(double a, double b, double c,
                                                          double d) noexcept
    __asm__("ddx.body.__divdc3");
double _Complex memory_divdc3(double a, double b, double c, double d) noexcept {
  const auto [real, imaginary] = complex_quotient(a, b, c, d);
  return __builtin_complex(real, imaginary);
}

/// complex_product.
[[gnu::used]] static inline float _Complex memory_mulsc3(float a, float b, float c,
                                                         float d) noexcept
    __asm__("ddx.body.__mulsc3");
float _Complex memory_mulsc3(float a, float b, float c, float d) noexcept {
  const auto [real, imaginary] = complex_product(a, b, c, d);
  return __builtin_complex(real, imaginary);
}

/// complex_quotient.
[[gnu::used]] static inline float _Complex memory_divsc3(float a, float b, float c,
                                                         float d) noexcept
    __asm__("ddx.body.__divsc3");
float _Complex memory_divsc3(float a, float b, float c, float d) noexcept {
  const auto [real, imaginary] = complex_quotient(a, b, c, d);
  return __builtin_complex(real, imaginary);
}

/// complex_product.
[[gnu::used]] static inline long double _Complex memory_mulxc3(long double a, long double b,
                                                               long double c,
                                                               long double d) noexcept
    __asm__("ddx.body.__mulxc3");
long double _Complex memory_mulxc3(long double a, long double b, long double c,
                                   long double d) noexcept {
  const auto [real, imaginary] = complex_product(a, b, c, d);
  return __builtin_complex(real, imaginary);
}

/// complex_quotient.
[[gnu::used]] static inline long double _Complex memory_divxc3(long double a, long double b,
                                                               long double c,
                                                               long double d) noexcept
    __asm__("ddx.body.__divxc3");
long double _Complex memory_divxc3(long double a, long double b, long double c,
                                   long double d) noexcept {
  const auto [real, imaginary] = complex_quotient(a, b, c, d);
  return __builtin_complex(real, imaginary);
}

/// fraction_of.
[[gnu::used]] static inline double memory_modf(double x, double* whole) noexcept
    __asm__("ddx.body.modf");
double memory_modf(double x, double* whole) noexcept {
  return fraction_of(x, whole);
}

/// mantissa_of.
[[gnu::used]] static inline double memory_frexp(double x, int* exponent) noexcept
    __asm__("ddx.body.frexp");
double memory_frexp(double x, int* exponent) noexcept {
  return mantissa_of(x, exponent);
}

/// fraction_of.
[[gnu::used]] static inline float memory_modff(float x, float* whole) noexcept
    __asm__("ddx.body.modff");
float memory_modff(float x, float* whole) noexcept {
  return fraction_of(x, whole);
}

/// mantissa_of.
[[gnu::used]] static inline float memory_frexpf(float x, int* exponent) noexcept
    __asm__("ddx.body.frexpf");
float memory_frexpf(float x, int* exponent) noexcept {
  return mantissa_of(x, exponent);
}

/// fraction_of.
[[gnu::used]] static inline long double memory_modfl(long double x, long double* whole) noexcept
    __asm__("ddx.body.modfl");
long double memory_modfl(long double x, long double* whole) noexcept {
  return fraction_of(x, whole);
}

/// mantissa_of.
[[gnu::used]] static inline long double memory_frexpl(long double x, int* exponent) noexcept
    __asm__("ddx.body.frexpl");
long double memory_frexpl(long double x, int* exponent) noexcept {
  return mantissa_of(x, exponent);
}

}  // namespace ddx::detail

#ifdef __clang__
#pragma clang diagnostic pop
#endif
