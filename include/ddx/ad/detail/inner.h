/// \file
/// The inner product of two tangents.

#pragma once

#include "ddx/ad/detail/tangent_kinds.h"

#include <cstddef>
#include <type_traits>

namespace ddx::detail {

/// Returns the sum of the products of corresponding numbers, in the widest type among theirs. An
/// empty vector counts as zeros of any length, a key that a map lacks as zero; a leaf class says
/// how by `ddx_inner(a, b)`, found by argument-dependent lookup. A zero in `b` counts for nothing,
/// whatever it meets.
template <class T>
[[nodiscard]] constexpr auto inner(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) {
    return b == T(0) ? T(0) : a * b;  // What nothing varies spreads no infinity.
  } else if constexpr (std::is_same_v<T, NoTangent>) {
    return 0.0F;
  } else if constexpr (requires { ddx_inner(a, b); }) {
    return ddx_inner(a, b);
  } else if constexpr (NumberArrayTangent<T>) {
    const auto size = static_cast<std::size_t>(a.size() < b.size() ? a.size() : b.size());
    decltype(inner(a.data()[0], b.data()[0])) sum = 0;
    for (std::size_t i = 0; i < size; ++i) {
      sum += inner(a.data()[i], b.data()[i]);
    }
    return sum;
  } else if constexpr (HasFields<T> || TupleTangent<T>) {
    const auto over = [](const auto& x, const auto& y) {
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return (0.0F + ... + inner(std::get<I>(x), std::get<I>(y)));
      }(std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(x)>>>{});
    };
    if constexpr (HasFields<T>) {
      return over(a.ddx_fields(), b.ddx_fields());
    } else {
      return over(a, b);
    }
  } else if constexpr (MapTangent<T>) {
    using Sum = decltype(inner(a.begin()->second, a.begin()->second));
    Sum sum = 0;
    for (const auto& [key, part] : a) {
      const auto other = b.find(key);
      if (other != b.end()) {
        sum += inner(part, other->second);
      }
    }
    return sum;
  } else {
    static_assert(VectorTangent<T> || ArrayTangent<T>,
                  "ddx: a class used as TangentVector needs ddx_inner(a, b), found by "
                  "argument-dependent lookup, for this derivative in forward mode");
    using Sum = decltype(inner(a[0], b[0]));
    Sum sum = 0;
    const std::size_t size = std::size(a) < std::size(b) ? std::size(a) : std::size(b);
    for (std::size_t i = 0; i < size; ++i) {
      sum += inner(a[i], b[i]);
    }
    return sum;
  }
}

}  // namespace ddx::detail
