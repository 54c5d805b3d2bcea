/// \file
/// Changes to a cotangent on its way back.

#pragma once

#include "ddx/ad/tangent.h"

namespace ddx {

namespace detail {

/// Returns what `change` makes of a cotangent: `change(cotangent)`, or, where that returns nothing,
/// what it leaves in it.
template <class F, class Tangent>
Tangent changed_cotangent(const F& change, const Tangent& cotangent) {
  Tangent changed = cotangent;
  if constexpr (requires { Tangent(change(cotangent)); }) {
    changed = change(cotangent);
  } else {
    change(changed);
  }
  return changed;
}

}  // namespace detail

/// Returns `x`. In reverse mode, the cotangent of the result passes through `change` before it
/// reaches `x`: to clip, scale or print a gradient where it flows.
///
/// `change` is called as `change(cotangent)` and returns another, or changes a
/// `TangentOf<T>&`. What it captures counts as constant, and is copied where it was captured by
/// reference. Forward mode has no cotangent: there, a call is an error.
/// Example: x = ddx::with_derivative(x, [](double dx) { return std::clamp(dx, -1.0, 1.0); });
template <class T, class F>
[[nodiscard]] T with_derivative(const T& x, const F& change) {
  (void)&detail::changed_cotangent<F, TangentOf<T>>;  // Instantiates what the compiler reads.
  (void)change;
  return x;
}

}  // namespace ddx
