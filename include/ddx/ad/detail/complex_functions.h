/// \file
/// What the compiler differentiates in the place of the functions of <complex>: the same results by
/// real arithmetic. See algorithms.h.

#pragma once

#include "ddx/ad/detail/complex_declaration.h"

#include <cmath>

namespace ddx::detail::algorithms {

template <class T>
T abs(const std::complex<T>& z) {
  return std::hypot(z.real(), z.imag());
}

template <class T>
T arg(const std::complex<T>& z) {
  return std::atan2(z.imag(), z.real());
}

template <class T>
std::complex<T> polar(const T& length, const T& angle) {
  return std::complex<T>(length * std::cos(angle), length * std::sin(angle));
}

template <class T>
std::complex<T> polar(const T& length) {
  return std::complex<T>(length, T(0));
}

/// `a / b`, scaled by the larger part of `b`: no square over- or underflows.
///
/// Source: R. L. Smith, "Algorithm 116: Complex division", 1962.
template <class T>
std::complex<T> quotient(const std::complex<T>& a, const std::complex<T>& b) {
  T real = 0;
  T imaginary = 0;
  if (std::fabs(b.real()) >= std::fabs(b.imag())) {
    const T ratio = b.imag() / b.real();
    const T divisor = b.real() + b.imag() * ratio;
    real = (a.real() + a.imag() * ratio) / divisor;
    imaginary = (a.imag() - a.real() * ratio) / divisor;
  } else {
    const T ratio = b.real() / b.imag();
    const T divisor = b.real() * ratio + b.imag();
    real = (a.real() * ratio + a.imag()) / divisor;
    imaginary = (a.imag() * ratio - a.real()) / divisor;
  }
  return std::complex<T>(real, imaginary);
}

template <class T>
std::complex<T> quotient(const T& a, const std::complex<T>& b) {
  return algorithms::quotient(std::complex<T>(a, T(0)), b);
}

/// `a /= b`.
template <class T, class U>
void quotient_in_place(std::complex<T>& a, const std::complex<U>& b) {
  const std::complex<T> divisor(b.real(), b.imag());
  a = algorithms::quotient(a, divisor);
}

template <class T>
std::complex<T> exp(const std::complex<T>& z) {
  const T scale = std::exp(z.real());
  return std::complex<T>(scale * std::cos(z.imag()), scale * std::sin(z.imag()));
}

template <class T>
std::complex<T> log(const std::complex<T>& z) {
  return std::complex<T>(std::log(std::hypot(z.real(), z.imag())), std::atan2(z.imag(), z.real()));
}

template <class T>
std::complex<T> log10(const std::complex<T>& z) {
  const T scale = std::log(T(10));
  return std::complex<T>(std::log(std::hypot(z.real(), z.imag())) / scale,
                         std::atan2(z.imag(), z.real()) / scale);
}

/// The root in the right half plane; no difference of nearly equal numbers enters it.
template <class T>
std::complex<T> sqrt(const std::complex<T>& z) {
  T real = 0;
  T imaginary = z.imag();
  const T length = std::hypot(z.real(), z.imag());
  if (length != 0) {
    if (z.real() >= 0) {
      real = std::sqrt((length + z.real()) / 2);
      imaginary = z.imag() / (2 * real);
    } else {
      const T side = std::sqrt((length - z.real()) / 2);
      imaginary = std::signbit(z.imag()) ? -side : side;
      real = z.imag() / (2 * imaginary);
    }
  }
  return std::complex<T>(real, imaginary);
}

template <class T>
std::complex<T> sin(const std::complex<T>& z) {
  return std::complex<T>(std::sin(z.real()) * std::cosh(z.imag()),
                         std::cos(z.real()) * std::sinh(z.imag()));
}

template <class T>
std::complex<T> cos(const std::complex<T>& z) {
  return std::complex<T>(std::cos(z.real()) * std::cosh(z.imag()),
                         -std::sin(z.real()) * std::sinh(z.imag()));
}

template <class T>
std::complex<T> tan(const std::complex<T>& z) {
  return algorithms::quotient(algorithms::sin(z), algorithms::cos(z));
}

template <class T>
std::complex<T> sinh(const std::complex<T>& z) {
  return std::complex<T>(std::sinh(z.real()) * std::cos(z.imag()),
                         std::cosh(z.real()) * std::sin(z.imag()));
}

template <class T>
std::complex<T> cosh(const std::complex<T>& z) {
  return std::complex<T>(std::cosh(z.real()) * std::cos(z.imag()),
                         std::sinh(z.real()) * std::sin(z.imag()));
}

template <class T>
std::complex<T> tanh(const std::complex<T>& z) {
  return algorithms::quotient(algorithms::sinh(z), algorithms::cosh(z));
}

/// Powers by the principal logarithm, as the library's; 0 to the power 0 is 1.
template <class T>
std::complex<T> pow(const std::complex<T>& base, const std::complex<T>& exponent) {
  std::complex<T> result(T(0), T(0));
  if (base.real() != 0 || base.imag() != 0) {
    result = algorithms::exp(exponent * algorithms::log(base));
  } else if (exponent.real() == 0 && exponent.imag() == 0) {
    result = std::complex<T>(T(1), T(0));
  }
  return result;
}

template <class T, class Exponent>
std::complex<T> pow(const std::complex<T>& base, const Exponent& given) {
  const T exponent = static_cast<T>(given);
  std::complex<T> result(T(0), T(0));
  if (base.real() != 0 || base.imag() != 0) {
    result = algorithms::exp(exponent * algorithms::log(base));
  } else if (exponent == 0) {
    result = std::complex<T>(T(1), T(0));
  }
  return result;
}

template <class T>
std::complex<T> pow(const T& base, const std::complex<T>& exponent) {
  return algorithms::pow(std::complex<T>(base, T(0)), exponent);
}

}  // namespace ddx::detail::algorithms
