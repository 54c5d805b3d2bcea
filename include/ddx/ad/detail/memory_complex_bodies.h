/// \file
/// Bodies of the C library's functions of complex numbers, as memory_bodies.h has others. Included
/// by synthesised text where <complex> is.

#pragma once

#include "ddx/ad/detail/complex_functions.h"

#include <complex>

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc99-extensions"  // The signatures are those of C.
#endif

namespace ddx::detail {

/// The number as C's type.
template <class Real>
[[nodiscard]] inline auto to_builtin(const std::complex<Real>& z) {
  return __builtin_complex(z.real(), z.imag());
}

/// abs.
[[gnu::used]] static inline double memory_cabs(double _Complex z) __asm__("ddx.body.cabs");
double memory_cabs(double _Complex z) {
  return algorithms::abs(std::complex<double>(z));
}

/// abs.
[[gnu::used]] static inline float memory_cabsf(float _Complex z) __asm__("ddx.body.cabsf");
float memory_cabsf(float _Complex z) {
  return algorithms::abs(std::complex<float>(z));
}

/// abs.
[[gnu::used]] static inline long double memory_cabsl(long double _Complex z) __asm__(
    "ddx.body.cabsl");
long double memory_cabsl(long double _Complex z) {
  return algorithms::abs(std::complex<long double>(z));
}

/// arg.
[[gnu::used]] static inline double memory_carg(double _Complex z) __asm__("ddx.body.carg");
double memory_carg(double _Complex z) {
  return algorithms::arg(std::complex<double>(z));
}

/// arg.
[[gnu::used]] static inline float memory_cargf(float _Complex z) __asm__("ddx.body.cargf");
float memory_cargf(float _Complex z) {
  return algorithms::arg(std::complex<float>(z));
}

/// arg.
[[gnu::used]] static inline long double memory_cargl(long double _Complex z) __asm__(
    "ddx.body.cargl");
long double memory_cargl(long double _Complex z) {
  return algorithms::arg(std::complex<long double>(z));
}

/// exp.
[[gnu::used]] static inline double _Complex memory_cexp(double _Complex z) __asm__("ddx.body.cexp");
double _Complex memory_cexp(double _Complex z) {
  return to_builtin(algorithms::exp(std::complex<double>(z)));
}

/// exp.
[[gnu::used]] static inline float _Complex memory_cexpf(float _Complex z) __asm__("ddx.body.cexpf");
float _Complex memory_cexpf(float _Complex z) {
  return to_builtin(algorithms::exp(std::complex<float>(z)));
}

/// exp.
[[gnu::used]] static inline long double _Complex memory_cexpl(long double _Complex z) __asm__(
    "ddx.body.cexpl");
long double _Complex memory_cexpl(long double _Complex z) {
  return to_builtin(algorithms::exp(std::complex<long double>(z)));
}

/// log.
[[gnu::used]] static inline double _Complex memory_clog(double _Complex z) __asm__("ddx.body.clog");
double _Complex memory_clog(double _Complex z) {
  return to_builtin(algorithms::log(std::complex<double>(z)));
}

/// log.
[[gnu::used]] static inline float _Complex memory_clogf(float _Complex z) __asm__("ddx.body.clogf");
float _Complex memory_clogf(float _Complex z) {
  return to_builtin(algorithms::log(std::complex<float>(z)));
}

/// log.
[[gnu::used]] static inline long double _Complex memory_clogl(long double _Complex z) __asm__(
    "ddx.body.clogl");
long double _Complex memory_clogl(long double _Complex z) {
  return to_builtin(algorithms::log(std::complex<long double>(z)));
}

/// sqrt.
[[gnu::used]] static inline double _Complex memory_csqrt(double _Complex z) __asm__(
    "ddx.body.csqrt");
double _Complex memory_csqrt(double _Complex z) {
  return to_builtin(algorithms::sqrt(std::complex<double>(z)));
}

/// sqrt.
[[gnu::used]] static inline float _Complex memory_csqrtf(float _Complex z) __asm__(
    "ddx.body.csqrtf");
float _Complex memory_csqrtf(float _Complex z) {
  return to_builtin(algorithms::sqrt(std::complex<float>(z)));
}

/// sqrt.
[[gnu::used]] static inline long double _Complex memory_csqrtl(long double _Complex z) __asm__(
    "ddx.body.csqrtl");
long double _Complex memory_csqrtl(long double _Complex z) {
  return to_builtin(algorithms::sqrt(std::complex<long double>(z)));
}

/// sin.
[[gnu::used]] static inline double _Complex memory_csin(double _Complex z) __asm__("ddx.body.csin");
double _Complex memory_csin(double _Complex z) {
  return to_builtin(algorithms::sin(std::complex<double>(z)));
}

/// sin.
[[gnu::used]] static inline float _Complex memory_csinf(float _Complex z) __asm__("ddx.body.csinf");
float _Complex memory_csinf(float _Complex z) {
  return to_builtin(algorithms::sin(std::complex<float>(z)));
}

/// sin.
[[gnu::used]] static inline long double _Complex memory_csinl(long double _Complex z) __asm__(
    "ddx.body.csinl");
long double _Complex memory_csinl(long double _Complex z) {
  return to_builtin(algorithms::sin(std::complex<long double>(z)));
}

/// cos.
[[gnu::used]] static inline double _Complex memory_ccos(double _Complex z) __asm__("ddx.body.ccos");
double _Complex memory_ccos(double _Complex z) {
  return to_builtin(algorithms::cos(std::complex<double>(z)));
}

/// cos.
[[gnu::used]] static inline float _Complex memory_ccosf(float _Complex z) __asm__("ddx.body.ccosf");
float _Complex memory_ccosf(float _Complex z) {
  return to_builtin(algorithms::cos(std::complex<float>(z)));
}

/// cos.
[[gnu::used]] static inline long double _Complex memory_ccosl(long double _Complex z) __asm__(
    "ddx.body.ccosl");
long double _Complex memory_ccosl(long double _Complex z) {
  return to_builtin(algorithms::cos(std::complex<long double>(z)));
}

/// tan.
[[gnu::used]] static inline double _Complex memory_ctan(double _Complex z) __asm__("ddx.body.ctan");
double _Complex memory_ctan(double _Complex z) {
  return to_builtin(algorithms::tan(std::complex<double>(z)));
}

/// tan.
[[gnu::used]] static inline float _Complex memory_ctanf(float _Complex z) __asm__("ddx.body.ctanf");
float _Complex memory_ctanf(float _Complex z) {
  return to_builtin(algorithms::tan(std::complex<float>(z)));
}

/// tan.
[[gnu::used]] static inline long double _Complex memory_ctanl(long double _Complex z) __asm__(
    "ddx.body.ctanl");
long double _Complex memory_ctanl(long double _Complex z) {
  return to_builtin(algorithms::tan(std::complex<long double>(z)));
}

/// sinh.
[[gnu::used]] static inline double _Complex memory_csinh(double _Complex z) __asm__(
    "ddx.body.csinh");
double _Complex memory_csinh(double _Complex z) {
  return to_builtin(algorithms::sinh(std::complex<double>(z)));
}

/// sinh.
[[gnu::used]] static inline float _Complex memory_csinhf(float _Complex z) __asm__(
    "ddx.body.csinhf");
float _Complex memory_csinhf(float _Complex z) {
  return to_builtin(algorithms::sinh(std::complex<float>(z)));
}

/// sinh.
[[gnu::used]] static inline long double _Complex memory_csinhl(long double _Complex z) __asm__(
    "ddx.body.csinhl");
long double _Complex memory_csinhl(long double _Complex z) {
  return to_builtin(algorithms::sinh(std::complex<long double>(z)));
}

/// cosh.
[[gnu::used]] static inline double _Complex memory_ccosh(double _Complex z) __asm__(
    "ddx.body.ccosh");
double _Complex memory_ccosh(double _Complex z) {
  return to_builtin(algorithms::cosh(std::complex<double>(z)));
}

/// cosh.
[[gnu::used]] static inline float _Complex memory_ccoshf(float _Complex z) __asm__(
    "ddx.body.ccoshf");
float _Complex memory_ccoshf(float _Complex z) {
  return to_builtin(algorithms::cosh(std::complex<float>(z)));
}

/// cosh.
[[gnu::used]] static inline long double _Complex memory_ccoshl(long double _Complex z) __asm__(
    "ddx.body.ccoshl");
long double _Complex memory_ccoshl(long double _Complex z) {
  return to_builtin(algorithms::cosh(std::complex<long double>(z)));
}

/// tanh.
[[gnu::used]] static inline double _Complex memory_ctanh(double _Complex z) __asm__(
    "ddx.body.ctanh");
double _Complex memory_ctanh(double _Complex z) {
  return to_builtin(algorithms::tanh(std::complex<double>(z)));
}

/// tanh.
[[gnu::used]] static inline float _Complex memory_ctanhf(float _Complex z) __asm__(
    "ddx.body.ctanhf");
float _Complex memory_ctanhf(float _Complex z) {
  return to_builtin(algorithms::tanh(std::complex<float>(z)));
}

/// tanh.
[[gnu::used]] static inline long double _Complex memory_ctanhl(long double _Complex z) __asm__(
    "ddx.body.ctanhl");
long double _Complex memory_ctanhl(long double _Complex z) {
  return to_builtin(algorithms::tanh(std::complex<long double>(z)));
}

/// pow.
[[gnu::used]] static inline double _Complex memory_cpow(
    double _Complex z, double _Complex exponent) __asm__("ddx.body.cpow");
double _Complex memory_cpow(double _Complex z, double _Complex exponent) {
  return to_builtin(algorithms::pow(std::complex<double>(z), std::complex<double>(exponent)));
}

/// pow.
[[gnu::used]] static inline float _Complex memory_cpowf(
    float _Complex z, float _Complex exponent) __asm__("ddx.body.cpowf");
float _Complex memory_cpowf(float _Complex z, float _Complex exponent) {
  return to_builtin(algorithms::pow(std::complex<float>(z), std::complex<float>(exponent)));
}

/// pow.
[[gnu::used]] static inline long double _Complex memory_cpowl(
    long double _Complex z, long double _Complex exponent) __asm__("ddx.body.cpowl");
long double _Complex memory_cpowl(long double _Complex z, long double _Complex exponent) {
  return to_builtin(
      algorithms::pow(std::complex<long double>(z), std::complex<long double>(exponent)));
}

}  // namespace ddx::detail

#ifdef __clang__
#pragma clang diagnostic pop
#endif
