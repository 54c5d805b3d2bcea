/// \file
/// The tangent a gradient starts from.

#pragma once

#include "ddx/ad/tangent.h"

#include <concepts>

namespace ddx::detail {

/// Holds for results that have a gradient: floating-point numbers, and leaf classes with
/// `ddx_unit_seed(value)`, found by ADL.
template <class Value>
concept ScalarResult = std::floating_point<Value> || requires(const Value& value) {
  { ddx_unit_seed(value) } -> std::convertible_to<TangentOf<Value>>;
};

/// Returns one, as a tangent of `value`.
template <ScalarResult Value>
[[nodiscard]] constexpr TangentOf<Value> unit_seed(const Value& value) {
  if constexpr (std::floating_point<Value>) {
    return Value(1);
  } else {
    return ddx_unit_seed(value);
  }
}

}  // namespace ddx::detail
