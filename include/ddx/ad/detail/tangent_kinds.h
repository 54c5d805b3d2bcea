/// \file
/// The kinds of tangent types that the generic tangent functions tell apart.

#pragma once

#include "ddx/ad/detail/complex_declaration.h"
#include "ddx/ad/detail/container_declaration.h"
#include "ddx/ad/tangent.h"

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddx::detail {

/// A class that adds its own tangents: `ddx_accumulate(into, from)`, found by ADL. Its
/// default-constructed value is a zero of any shape.
template <class T>
concept LeafTangent =
    std::is_class_v<T> && requires(T& into, const T& from) { ddx_accumulate(into, from); };

/// A class whose members DDX_DIFFERENTIABLE lists, and the tangent of such a class.
template <class T>
concept HasFields = requires(T& value) { value.ddx_fields(); };

/// A `std::complex`: its own tangent, part by part.
template <class T>
inline constexpr bool is_complex_number = false;
template <class T>
inline constexpr bool is_complex_number<std::complex<T>> = true;

template <class T, std::size_t count, std::size_t register_bytes>
class Lanes;
/// Several cotangents of one number.
template <class T>
inline constexpr bool is_lanes = false;
template <class T, std::size_t count, std::size_t register_bytes>
inline constexpr bool is_lanes<Lanes<T, count, register_bytes>> = true;

/// What is added and scaled as a whole.
template <class T>
inline constexpr bool is_number =
    std::is_floating_point_v<T> || is_complex_number<T> || is_lanes<T>;

/// The parts of a complex number, as the objects that they are.
template <class T>
[[nodiscard]] inline T (&parts(std::complex<T>& number))[2] {
  return reinterpret_cast<T(&)[2]>(number);
}
template <class T>
[[nodiscard]] inline const T (&parts(const std::complex<T>& number))[2] {
  return reinterpret_cast<const T(&)[2]>(number);
}

/// A `std::pair` or `std::tuple`, and nothing else that has a tuple size.
template <class T>
inline constexpr bool is_tuple = false;
template <class First, class Second>
inline constexpr bool is_tuple<std::pair<First, Second>> = true;
template <class... Ts>
inline constexpr bool is_tuple<std::tuple<Ts...>> = true;
template <class T>
concept TupleTangent = is_tuple<T>;

/// A `std::vector` or `std::deque`: its number of elements is known at run time only.
template <class T>
inline constexpr bool is_vector = false;
template <class T, class Allocator>
inline constexpr bool is_vector<std::vector<T, Allocator>> = true;
template <class T, class Allocator>
inline constexpr bool is_vector<std::deque<T, Allocator>> = true;
template <class T>
concept VectorTangent = is_vector<T>;

/// A `std::map` or `std::unordered_map`: a key that is missing represents zero.
template <class T>
inline constexpr bool is_map = false;
template <class Key, class T, class Compare, class Allocator>
inline constexpr bool is_map<std::map<Key, T, Compare, Allocator>> = true;
template <class Key, class T, class Hash, class Equal, class Allocator>
inline constexpr bool is_map<std::unordered_map<Key, T, Hash, Equal, Allocator>> = true;
template <class T>
concept MapTangent = is_map<T>;

/// A map whose keys have an order of their own.
template <class T>
inline constexpr bool is_ordered_map = false;
template <class Key, class T, class Compare, class Allocator>
inline constexpr bool is_ordered_map<std::map<Key, T, Compare, Allocator>> = true;

/// A `std::array` or a C array.
template <class T>
inline constexpr bool is_array = std::is_array_v<T>;
template <class T, std::size_t N>
inline constexpr bool is_array<std::array<T, N>> = true;
template <class T>
concept ArrayTangent = is_array<T>;

/// A class of numbers in a row at `data()`, `size()` of them, with `resizeLike(other)`: its own
/// tangent. Its default-constructed value has none, which is a zero of any shape. A library's
/// header specialises this (ddx/eigen.h).
template <class T>
inline constexpr bool is_number_array = false;
template <class T>
concept NumberArrayTangent = is_number_array<T>;

/// False, but only once the type is known; for the `static_assert` after the last known kind.
template <class>
inline constexpr bool unknown_tangent = false;

/// Calls `visit(number)` with each number of such a class, in the order of its memory.
template <class T, class Visit>
constexpr void for_each_number(T& numbers, const Visit& visit) {
  auto* const data = numbers.data();
  for (std::size_t i = 0; i < static_cast<std::size_t>(numbers.size()); ++i) {
    visit(data[i]);
  }
}

/// Calls `function(a_i, b_i)` for each element of two tuples of one length.
template <class A, class B, class Function>
constexpr void for_each_pair(A&& a, B&& b, Function function) {
  constexpr std::size_t size = std::tuple_size_v<std::remove_cvref_t<A>>;
  static_assert(size == std::tuple_size_v<std::remove_cvref_t<B>>,
                "a tangent and its value have different numbers of members");
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (function(std::get<I>(a), std::get<I>(b)), ...);
  }(std::make_index_sequence<size>{});
}

/// Calls `function(element)` for each element of a tuple.
template <class Tuple, class Function>
constexpr void for_each_element(Tuple&& tuple, Function function) {
  std::apply([&](auto&... elements) { (function(elements), ...); }, tuple);
}

}  // namespace ddx::detail
