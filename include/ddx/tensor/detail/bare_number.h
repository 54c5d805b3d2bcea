/// \file
/// Bare numbers as operands beside tensors of integers.

#pragma once

#include "ddx/core/dtype.h"

#include <concepts>
#include <cstdint>
#include <limits>
#include <source_location>
#include <type_traits>
#include <utility>

namespace ddx::detail {

[[noreturn]] void throw_does_not_fit(std::int64_t number, DType dtype,
                                     const std::source_location& where);
[[noreturn]] void throw_does_not_fit(std::uint64_t number, DType dtype,
                                     const std::source_location& where);

/// Whether an element of the type can have the value of the integer.
template <DiscreteScalar Scalar, std::integral Integer>
constexpr bool fits(Integer value) noexcept {
  if constexpr (std::same_as<Scalar, bool>) {
    return value == Integer{0} || value == Integer{1};
  } else {
    // + makes an integer of a truth value and of a character, which cannot be compared.
    return std::cmp_greater_equal(+value, +std::numeric_limits<Scalar>::min()) &&
           std::cmp_less_equal(+value, +std::numeric_limits<Scalar>::max());
  }
}

/// An integer as an element of a tensor of integers or truth values: what it cannot represent is an
/// error, not another number.
template <DiscreteScalar Scalar>
class WholeNumber {
 public:
  constexpr WholeNumber() = default;
  /// Throws:  UsageError where the element type has no such value.
  template <std::integral Integer>
  constexpr WholeNumber(Integer value, std::source_location where = std::source_location::current())
      : value_(static_cast<Scalar>(value)) {
    if (!fits<Scalar>(value)) {
      using Wide = std::conditional_t<std::signed_integral<Integer>, std::int64_t, std::uint64_t>;
      throw_does_not_fit(static_cast<Wide>(value), dtype_of<Scalar>, where);
    }
  }

  /// Does not compile.
  template <class Number>
    requires(!std::integral<Number> && requires(const Number& n) { static_cast<double>(n); })
  constexpr WholeNumber(const Number& /*value*/,
                        std::source_location /*where*/ = std::source_location::current()) {
    static_assert(std::integral<Number>,
                  "ddx: a tensor of integers or truth values cannot hold a number with a fraction; "
                  "cast the tensor, as in ddx::cast<float>(x), or make the number an integer");
  }

  constexpr operator Scalar() const noexcept { return value_; }

 private:
  Scalar value_{};
};

template <TensorScalar Scalar>
struct BareNumberOf {
  using Type = Scalar;
};
template <DiscreteScalar Scalar>
struct BareNumberOf<Scalar> {
  using Type = WholeNumber<Scalar>;
};

/// The parameter type of a bare number beside a tensor: the element type, of which no argument is
/// deduced; where that is discrete, a checked integer.
template <TensorScalar Scalar>
using BareNumber = typename BareNumberOf<Scalar>::Type;

}  // namespace ddx::detail
