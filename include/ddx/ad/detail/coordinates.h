/// \file
/// The numbers that a tangent consists of, one after the other.

#pragma once

#include "ddx/ad/detail/inner.h"
#include "ddx/ad/detail/tangent_kinds.h"

#include <cstddef>
#include <type_traits>
#include <utility>

namespace ddx::detail {

/// Calls `visit` with each number of a tangent, in the order of its members and elements.
template <class T, class Visit>
void for_each_coordinate(T& tangent, const Visit& visit) {
  using Tangent = std::remove_const_t<T>;
  const auto visit_part = [&](auto& part) { for_each_coordinate(part, visit); };
  if constexpr (std::is_floating_point_v<Tangent>) {
    visit(tangent);
  } else if constexpr (std::is_same_v<Tangent, NoTangent>) {
  } else if constexpr (HasFields<Tangent>) {
    for_each_element(tangent.ddx_fields(), visit_part);
  } else if constexpr (TupleTangent<Tangent>) {
    for_each_element(tangent, visit_part);
  } else {
    static_assert(
        ArrayTangent<Tangent> || VectorTangent<Tangent>,
        "ddx: the numbers of this tangent cannot be listed; for a tensor, use hvp, jvp and "
        "pullback with directions of your own");
    for (auto& part : tangent) {
      visit_part(part);
    }
  }
}

/// The number of numbers in a tangent.
template <class T>
[[nodiscard]] std::size_t coordinate_count(const T& tangent) {
  std::size_t count = 0;
  for_each_coordinate(tangent, [&](const auto&) { ++count; });
  return count;
}

/// Sets the number at `position` to one and the others to zero.
template <class T>
void set_unit(T& tangent, std::size_t position) {
  std::size_t at = 0;
  for_each_coordinate(tangent, [&](auto& number) {
    number = static_cast<std::remove_reference_t<decltype(number)>>(at++ == position);
  });
}

/// The widest type among the numbers of a tangent.
template <class T>
using CoordinateOf = decltype(inner(std::declval<const T&>(), std::declval<const T&>()));

}  // namespace ddx::detail
