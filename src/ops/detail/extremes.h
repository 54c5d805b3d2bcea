/// \file
/// The first largest of some numbers.

#pragma once

namespace ddx::ops::detail {

/// Whether `x` takes the place of the largest so far: a NaN counts as largest, of equals the first
/// stays.
template <class T>
[[nodiscard]] bool takes_place(T x, T best) noexcept {
  return x > best || (x != x && best == best);
}

}  // namespace ddx::ops::detail
