/// \file
/// The elementwise operations of complex numbers. `ComplexFunction<op>` must be specialised for
/// each row of the families Unary, Binary and Comparison that is defined for complex elements;
/// these arrive in double.

#pragma once

#include "ddx/ops/op.h"

#include <cmath>
#include <complex>

namespace ddx::ops::detail {

template <Op op>
struct ComplexFunction;

using ComplexDouble = std::complex<double>;

template <>
struct ComplexFunction<Op::mul> {
  static ComplexDouble apply(ComplexDouble a, ComplexDouble b) noexcept {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }
};

template <>
struct ComplexFunction<Op::div> {
  static ComplexDouble apply(ComplexDouble a, ComplexDouble b) noexcept { return a / b; }
};

template <>
struct ComplexFunction<Op::cotangent_product> {
  static ComplexDouble apply(ComplexDouble dy, ComplexDouble f) noexcept {
    return dy == 0.0 ? dy : ComplexFunction<Op::mul>::apply(dy, f);
  }
};

template <>
struct ComplexFunction<Op::cotangent_quotient> {
  static ComplexDouble apply(ComplexDouble dy, ComplexDouble x) noexcept {
    return dy == 0.0 ? dy : dy / x;
  }
};

template <>
struct ComplexFunction<Op::reciprocal> {
  static ComplexDouble apply(ComplexDouble x) noexcept { return 1.0 / x; }
};

template <>
struct ComplexFunction<Op::exp> {
  static ComplexDouble apply(ComplexDouble x) noexcept { return std::exp(x); }
};

template <>
struct ComplexFunction<Op::log> {
  static ComplexDouble apply(ComplexDouble x) noexcept { return std::log(x); }
};

template <>
struct ComplexFunction<Op::sqrt> {
  static ComplexDouble apply(ComplexDouble x) noexcept { return std::sqrt(x); }
};

template <>
struct ComplexFunction<Op::sin> {
  static ComplexDouble apply(ComplexDouble x) noexcept { return std::sin(x); }
};

template <>
struct ComplexFunction<Op::cos> {
  static ComplexDouble apply(ComplexDouble x) noexcept { return std::cos(x); }
};

template <>
struct ComplexFunction<Op::tanh> {
  static ComplexDouble apply(ComplexDouble x) noexcept { return std::tanh(x); }
};

template <>
struct ComplexFunction<Op::equal> {
  static bool apply(ComplexDouble a, ComplexDouble b) noexcept { return a == b; }
};

template <>
struct ComplexFunction<Op::not_equal> {
  static bool apply(ComplexDouble a, ComplexDouble b) noexcept { return a != b; }
};

}  // namespace ddx::ops::detail
