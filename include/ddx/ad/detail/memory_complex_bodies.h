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

#define DDX_COMPLEX_TO_REAL(c_name, function, real)                                               \
  [[gnu::used]] static inline real memory_##c_name(real _Complex z) __asm__("ddx.body." #c_name); \
  real memory_##c_name(real _Complex z) {                                                         \
    return algorithms::function(std::complex<real>(z));                                           \
  }
#define DDX_COMPLEX_FUNCTION(c_name, function, real)                                  \
  [[gnu::used]] static inline real _Complex memory_##c_name(real _Complex z) __asm__( \
      "ddx.body." #c_name);                                                           \
  real _Complex memory_##c_name(real _Complex z) {                                    \
    return to_builtin(algorithms::function(std::complex<real>(z)));                   \
  }
#define DDX_COMPLEX_OPERATOR(c_name, function, real)                                       \
  [[gnu::used]] static inline real _Complex memory_##c_name(                               \
      real _Complex a, real _Complex b) __asm__("ddx.body." #c_name);                      \
  real _Complex memory_##c_name(real _Complex a, real _Complex b) {                        \
    return to_builtin(algorithms::function(std::complex<real>(a), std::complex<real>(b))); \
  }
#define DDX_COMPLEX_POWER(mangled, real)                                                   \
  [[gnu::used]] static inline std::complex<real> memory_power(                             \
      const std::complex<real>& base, const real& exponent) __asm__("ddx.body." #mangled); \
  std::complex<real> memory_power(const std::complex<real>& base, const real& exponent) {  \
    return algorithms::pow(base, exponent);                                                \
  }
#include "ddx/ad/detail/memory_complex_bodies.def"

}  // namespace ddx::detail

#ifdef __clang__
#pragma clang diagnostic pop
#endif
