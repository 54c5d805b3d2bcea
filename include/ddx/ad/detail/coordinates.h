/// \file
/// The numbers that a tangent consists of, one after the other.

#pragma once

#include "ddx/ad/detail/inner.h"
#include "ddx/ad/detail/tangent_kinds.h"

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ddx::detail {

/// Calls `visit` with each number of a tangent, in the order of its members and elements.
template <class T, class Visit>
void for_each_coordinate(T& tangent, const Visit& visit) {
  using Tangent = std::remove_const_t<T>;
  const auto visit_part = [&](auto& part) { for_each_coordinate(part, visit); };
  if constexpr (std::is_floating_point_v<Tangent> || is_lanes<Tangent>) {
    visit(tangent);
  } else if constexpr (is_complex_number<Tangent>) {
    visit(parts(tangent)[0]);
    visit(parts(tangent)[1]);
  } else if constexpr (std::is_same_v<Tangent, NoTangent>) {
  } else if constexpr (NumberArrayTangent<Tangent>) {
    for_each_number(tangent, visit);
  } else if constexpr (HasFields<Tangent>) {
    for_each_element(tangent.ddx_fields(), visit_part);
  } else if constexpr (TupleTangent<Tangent>) {
    for_each_element(tangent, visit_part);
  } else if constexpr (MapTangent<Tangent>) {
    static_assert(
        is_ordered_map<Tangent>,
        "ddx: the numbers of an unordered_map have no order; for a matrix of them, take a "
        "std::map");
    for (auto& [key, part] : tangent) {
      visit_part(part);
    }
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

/// Represents a number of numbers that depends on values.
inline constexpr std::size_t not_fixed = static_cast<std::size_t>(-1);

template <class T>
constexpr std::size_t fixed_coordinates();

/// The sum over the elements of a tuple type; references count as what they refer to.
template <class... Ts>
constexpr std::size_t fixed_coordinates_of(const std::tuple<Ts...>*) {
  const bool fixed = ((fixed_coordinates<std::remove_cvref_t<Ts>>() != not_fixed) && ...);
  return fixed ? (std::size_t{0} + ... + fixed_coordinates<std::remove_cvref_t<Ts>>()) : not_fixed;
}
template <class First, class Second>
constexpr std::size_t fixed_coordinates_of(const std::pair<First, Second>*) {
  return fixed_coordinates_of(static_cast<const std::tuple<First, Second>*>(nullptr));
}
template <class T, std::size_t N>
constexpr std::size_t fixed_coordinates_of(const std::array<T, N>*) {
  return fixed_coordinates<T>() == not_fixed ? not_fixed : N * fixed_coordinates<T>();
}

/// The number of numbers in a tangent of type `T`, where the type says it; else not_fixed.
template <class T>
constexpr std::size_t fixed_coordinates() {
  if constexpr (std::is_floating_point_v<T>) {
    return 1;
  } else if constexpr (is_complex_number<T>) {
    return 2;
  } else if constexpr (std::is_same_v<T, NoTangent>) {
    return 0;
  } else if constexpr (HasFields<T>) {
    using Fields = decltype(std::declval<T&>().ddx_fields());
    return fixed_coordinates_of(static_cast<const Fields*>(nullptr));
  } else if constexpr (std::is_array_v<T>) {
    using Element = std::remove_extent_t<T>;
    return fixed_coordinates_of(static_cast<const std::array<Element, std::extent_v<T>>*>(nullptr));
  } else if constexpr (TupleTangent<T> || ArrayTangent<T>) {
    return fixed_coordinates_of(static_cast<const T*>(nullptr));
  } else {
    return not_fixed;
  }
}

/// The widest type among the numbers of a tangent.
template <class T>
using CoordinateOf = decltype(inner(std::declval<const T&>(), std::declval<const T&>()));

}  // namespace ddx::detail
