/// \file
/// What only synthesised derivatives use: tangents of built-in arrays, and zeros shaped like an
/// object whose class declares no tangent. Included by the synthesised text itself.

#pragma once

#include "ddx/ad/detail/arena.h"
#include "ddx/ad/detail/entry.h"
#include "ddx/ad/detail/math.h"
#include "ddx/ad/detail/runtime.h"
#include "ddx/core/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <memory>
#include <new>
#include <numbers>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddx::detail {

/// A built-in array, in a form that declares by `ArrayOf<T, N> name`.
template <class T, std::size_t N>
using ArrayOf = T[N];

/// Returns cotangent * partial, and 0 for a cotangent of 0 even where the partial is infinite or
/// NaN: a value that was computed and not used spreads nothing.
template <class T, class Partial>
[[nodiscard]] DDX_INLINE T scaled(T cotangent, Partial partial) {
  return cotangent == T(0) ? T(0) : cotangent * static_cast<T>(partial);
}

/// Returns a tangent of zeros with the shape of `primal`, where `Tangent` may be a struct that the
/// compiler made for a class without `TangentVector`.
///
/// Cost: O(size of primal).
template <class Tangent, class Primal>
[[nodiscard]] Tangent zeros_shaped_like(const Primal& primal) {
  if constexpr (std::is_same_v<TangentOf<Primal>, Tangent>) {
    return zeros_like(primal);
  } else if constexpr (requires { Tangent::ddx_shaped_like(primal); }) {
    return Tangent::ddx_shaped_like(primal);
  } else {
    Tangent tangent{};
    if constexpr (requires { tangent.resize(std::size(primal)); }) {
      tangent.resize(std::size(primal));
    }
    for (std::size_t i = 0; i < std::size(primal); ++i) {
      tangent[i] = zeros_shaped_like<std::remove_cvref_t<decltype(tangent[i])>>(primal[i]);
    }
    return tangent;
  }
}

/// The same into an array that is a member.
template <class Part, std::size_t N, class Primal>
void shape_like(Part (&tangent)[N], const Primal& primal) {
  for (std::size_t i = 0; i < N; ++i) {
    tangent[i] = zeros_shaped_like<Part>(primal[i]);
  }
}

template <class Tangent, class Primal>
void shape_like(Tangent& tangent, const Primal& primal) {
  tangent = zeros_shaped_like<Tangent>(primal);
}

}  // namespace ddx::detail
