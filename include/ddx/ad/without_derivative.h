/// \file
/// A value that counts as a constant.

#pragma once

namespace ddx {

/// Returns its argument; nothing flows back through this call.
///
/// Gradient: zero, by definition. The compiler knows this function by its declaration.
template <class T>
[[nodiscard]] constexpr T without_derivative(T value) {
  return value;
}

}  // namespace ddx
