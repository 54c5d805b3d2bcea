/// \file
/// The arithmetic of the reference kernels: floating types compute in double, integers wrap around.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ops/attributes.h"

#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace ddx::ops::detail {

/// What sums are kept in: double, or for integers a word whose low bits are the sum that wrapped
/// around.
template <class T>
using Accumulator = std::conditional_t<FloatingScalar<T>, double, std::uint64_t>;

/// The element that a literal denotes.
template <class T>
T element(const Literal& literal) noexcept {
  if constexpr (FloatingScalar<T>) {
    return static_cast<T>(literal.real);
  } else if constexpr (ComplexScalar<T>) {
    using Part = typename T::value_type;
    return T(static_cast<Part>(literal.real), static_cast<Part>(literal.imaginary));
  } else {
    return static_cast<T>(literal.integer);
  }
}

/// The element of `dtype` that a literal denotes, as a word of its size.
template <class W>
W word_of(const Literal& literal, DType dtype) noexcept {
  W word{};
  visit(dtype, [&](auto zero) {
    const auto value = element<decltype(zero)>(literal);
    if constexpr (sizeof value == sizeof word) {
      std::memcpy(&word, &value, sizeof word);
    }
  });
  return word;
}

/// The value as another element type; see ddx::cast. From a double, an integer, or what is exact in
/// one of these.
template <class To, class From>
To converted(From value) noexcept {
  if constexpr (std::is_same_v<To, bool>) {
    return value != From{};
  } else if constexpr (ComplexScalar<To>) {
    if constexpr (ComplexScalar<From>) {
      return static_cast<To>(value);
    } else {
      return To(static_cast<typename To::value_type>(value));
    }
  } else if constexpr (ComplexScalar<From>) {
    return converted<To>(value.real());  // The front end refuses this cast: it would lose a part.
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    using Limits = std::numeric_limits<To>;
    if (!(value == value)) {
      return To{};
    }
    // The bounds as floating numbers: the lower one is exact, the upper one may round up to the
    // first that does not fit.
    if (value <= static_cast<From>(Limits::min())) {
      return Limits::min();
    }
    if (value >= static_cast<From>(Limits::max())) {
      return Limits::max();
    }
    return static_cast<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace ddx::ops::detail
