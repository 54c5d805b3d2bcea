/// \file
/// Tensors of integers or truth values beside bare numbers with a fraction: `pixels / 255.0F`.
///
/// The elements are converted to the type of the number, as C++ does with two numbers: beside a
/// float the result is f32, beside a double f64. Comparisons convert both to f64. Functions that
/// write into the tensor, such as `x += 0.5F`, do not compile.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/clip.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/pairwise.h"
#include "ddx/tensor/power.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx {

/// The sum of the elements, as numbers of the bare number's type, and that.
///
/// Shapes:   a [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<Number> operator+(const Tensor<Scalar>& a, Number b) {
  return cast<Number>(a) + b;
}

/// As above, with the number on the left.
///
/// Shapes:   b [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<Number> operator+(Number a, const Tensor<Scalar>& b) {
  return a + cast<Number>(b);
}

/// The difference of the elements, as numbers of the bare number's type, and that.
///
/// Shapes:   a [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<Number> operator-(const Tensor<Scalar>& a, Number b) {
  return cast<Number>(a) - b;
}

/// As above, with the number on the left.
///
/// Shapes:   b [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<Number> operator-(Number a, const Tensor<Scalar>& b) {
  return a - cast<Number>(b);
}

/// The product of the elements, as numbers of the bare number's type, and that.
///
/// Shapes:   a [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<Number> operator*(const Tensor<Scalar>& a, Number b) {
  return cast<Number>(a) * b;
}

/// As above, with the number on the left.
///
/// Shapes:   b [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<Number> operator*(Number a, const Tensor<Scalar>& b) {
  return a * cast<Number>(b);
}

/// The quotient of the elements, as numbers of the bare number's type, and that.
///
/// Shapes:   a [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<Number> operator/(const Tensor<Scalar>& a, Number b) {
  return cast<Number>(a) / b;
}

/// As above, with the number on the left.
///
/// Shapes:   b [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<Number> operator/(Number a, const Tensor<Scalar>& b) {
  return a / cast<Number>(b);
}

/// The larger ones of the elements, as numbers of the bare number's type, and that.
///
/// Shapes:   a [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<Number> maximum(const Tensor<Scalar>& a, Number b) {
  return maximum(cast<Number>(a), b);
}

/// As above, with the number on the left.
///
/// Shapes:   b [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<Number> maximum(Number a, const Tensor<Scalar>& b) {
  return maximum(a, cast<Number>(b));
}

/// The smaller ones of the elements, as numbers of the bare number's type, and that.
///
/// Shapes:   a [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<Number> minimum(const Tensor<Scalar>& a, Number b) {
  return minimum(cast<Number>(a), b);
}

/// As above, with the number on the left.
///
/// Shapes:   b [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<Number> minimum(Number a, const Tensor<Scalar>& b) {
  return minimum(a, cast<Number>(b));
}

/// The powers of the elements, as numbers of the bare number's type, and that.
///
/// Shapes:   a [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<Number> pow(const Tensor<Scalar>& a, Number b) {
  return pow(cast<Number>(a), b);
}

/// As above, with the number on the left.
///
/// Shapes:   b [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<Number> pow(Number a, const Tensor<Scalar>& b) {
  return pow(a, cast<Number>(b));
}

/// The remainders, as of two tensors, of the elements, as numbers of the bare number's type, and
/// that.
///
/// Shapes:   a [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<Number> remainder(
    const Tensor<Scalar>& a, Number b,
    std::source_location where = std::source_location::current()) {
  return remainder(cast<Number>(a), b, where);
}

/// As above, with the number on the left.
///
/// Shapes:   b [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<Number> remainder(
    Number a, const Tensor<Scalar>& b,
    std::source_location where = std::source_location::current()) {
  return remainder(a, cast<Number>(b), where);
}

/// The quotients rounded down of the elements, as numbers of the bare number's type, and that.
///
/// Shapes:   a [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<Number> floor_divide(
    const Tensor<Scalar>& a, Number b,
    std::source_location where = std::source_location::current()) {
  return floor_divide(cast<Number>(a), b, where);
}

/// As above, with the number on the left.
///
/// Shapes:   b [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<Number> floor_divide(
    Number a, const Tensor<Scalar>& b,
    std::source_location where = std::source_location::current()) {
  return floor_divide(a, cast<Number>(b), where);
}

/// The remainders with the sign of the first of the elements, as numbers of the bare number's type,
/// and that.
///
/// Shapes:   a [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<Number> fmod(const Tensor<Scalar>& a, Number b,
                                  std::source_location where = std::source_location::current()) {
  return fmod(cast<Number>(a), b, where);
}

/// As above, with the number on the left.
///
/// Shapes:   b [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<Number> fmod(Number a, const Tensor<Scalar>& b,
                                  std::source_location where = std::source_location::current()) {
  return fmod(a, cast<Number>(b), where);
}

/// The squared differences of the elements, as numbers of the bare number's type, and that.
///
/// Shapes:   a [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<Number> squared_difference(const Tensor<Scalar>& a, Number b) {
  return squared_difference(cast<Number>(a), b);
}

/// Whether a == b, element by element, in f64.
///
/// Shapes:  a [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<bool> equal(const Tensor<Scalar>& a, Number b) {
  return equal(cast<double>(a), static_cast<double>(b));
}

/// As above, with the number on the left.
///
/// Shapes:  b [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<bool> equal(Number a, const Tensor<Scalar>& b) {
  return equal(static_cast<double>(a), cast<double>(b));
}

/// Whether a != b, element by element, in f64.
///
/// Shapes:  a [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<bool> not_equal(const Tensor<Scalar>& a, Number b) {
  return not_equal(cast<double>(a), static_cast<double>(b));
}

/// As above, with the number on the left.
///
/// Shapes:  b [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<bool> not_equal(Number a, const Tensor<Scalar>& b) {
  return not_equal(static_cast<double>(a), cast<double>(b));
}

/// Whether a < b, element by element, in f64.
///
/// Shapes:  a [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<bool> less(const Tensor<Scalar>& a, Number b) {
  return less(cast<double>(a), static_cast<double>(b));
}

/// As above, with the number on the left.
///
/// Shapes:  b [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<bool> less(Number a, const Tensor<Scalar>& b) {
  return less(static_cast<double>(a), cast<double>(b));
}

/// Whether a <= b, element by element, in f64.
///
/// Shapes:  a [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<bool> less_equal(const Tensor<Scalar>& a, Number b) {
  return less_equal(cast<double>(a), static_cast<double>(b));
}

/// As above, with the number on the left.
///
/// Shapes:  b [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<bool> less_equal(Number a, const Tensor<Scalar>& b) {
  return less_equal(static_cast<double>(a), cast<double>(b));
}

/// Whether a > b, element by element, in f64.
///
/// Shapes:  a [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<bool> greater(const Tensor<Scalar>& a, Number b) {
  return greater(cast<double>(a), static_cast<double>(b));
}

/// As above, with the number on the left.
///
/// Shapes:  b [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<bool> greater(Number a, const Tensor<Scalar>& b) {
  return greater(static_cast<double>(a), cast<double>(b));
}

/// Whether a >= b, element by element, in f64.
///
/// Shapes:  a [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<bool> greater_equal(const Tensor<Scalar>& a, Number b) {
  return greater_equal(cast<double>(a), static_cast<double>(b));
}

/// As above, with the number on the left.
///
/// Shapes:  b [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<bool> greater_equal(Number a, const Tensor<Scalar>& b) {
  return greater_equal(static_cast<double>(a), cast<double>(b));
}

/// min(max(x, low), high) of the elements as numbers of the bounds' type.
///
/// Shapes:   x [...] -> [...]
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<Number> clip(const Tensor<Scalar>& x, Number low, Number high) {
  return clip(cast<Number>(x), low, high);
}

/// The elements of `a`, as numbers of the type of `b`, where the condition holds, else `b`.
///
/// Shapes:   condition [...], a [...], broadcast together
/// Throws:   UsageError where they do not broadcast, or lie on different devices.
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<Number> select(const Tensor<bool>& condition, const Tensor<Scalar>& a,
                                    Number b,
                                    std::source_location where = std::source_location::current()) {
  return select(condition, cast<Number>(a), b, where);
}

/// As above, with the number where the condition holds.
///
/// Shapes:   condition [...], b [...], broadcast together
/// Throws:   UsageError where they do not broadcast, or lie on different devices.
template <DiscreteScalar Scalar, FloatingScalar Number>
[[nodiscard]] Tensor<Number> select(const Tensor<bool>& condition, Number a,
                                    const Tensor<Scalar>& b,
                                    std::source_location where = std::source_location::current()) {
  return select(condition, a, cast<Number>(b), where);
}

}  // namespace ddx
