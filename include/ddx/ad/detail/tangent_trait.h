/// \file
/// The table behind ddx::TangentOf.

#pragma once

#include "ddx/ad/detail/choice_declaration.h"
#include "ddx/ad/detail/complex_declaration.h"
#include "ddx/ad/detail/container_declaration.h"
#include "ddx/ad/no_tangent.h"

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddx::detail {

/// True where every type of the pack is NoTangent; such a container has no tangent either.
template <class... Tangents>
inline constexpr bool no_tangents = (std::same_as<Tangents, NoTangent> && ...);

template <class T>
struct TangentTrait {
  using type = NoTangent;
};

/// A deque of tangents. Its header is there where this is asked for.
template <class T>
struct DequeOf {
  using type = std::deque<T, std::allocator<T>>;
};

/// A map of tangents over the same keys, which have none; its header, too.
template <class Tangent, class Key, class Compare>
struct MapOf {
  using type = std::map<Key, Tangent, Compare, std::allocator<std::pair<const Key, Tangent>>>;
};
template <class Tangent, class Key, class Hash, class Equal>
struct HashMapOf {
  using type =
      std::unordered_map<Key, Tangent, Hash, Equal, std::allocator<std::pair<const Key, Tangent>>>;
};

template <std::floating_point T>
struct TangentTrait<T> {
  using type = T;
};

template <std::floating_point T>
struct TangentTrait<std::complex<T>> {
  using type = std::complex<T>;
};

/// A class that names its tangent: by DDX_DIFFERENTIABLE, or `using TangentVector = ...` by hand.
template <class T>
  requires(
      !requires { typename T::DdxPrimal; } && requires { typename T::TangentVector; })
struct TangentTrait<T> {
  using type = typename T::TangentVector;
};

/// The class made by DDX_DIFFERENTIABLE: a vector space is its own tangent.
template <class T>
  requires requires { typename T::DdxPrimal; }
struct TangentTrait<T> {
  using type = T;
};

template <class T, std::size_t N>
struct TangentTrait<T[N]> {
  using Element = typename TangentTrait<T>::type;
  using type = std::conditional_t<no_tangents<Element>, std::type_identity<NoTangent>,
                                  std::type_identity<Element[N]>>::type;
};

template <class T, std::size_t N>
struct TangentTrait<std::array<T, N>> {
  using Element = typename TangentTrait<T>::type;
  using type = std::conditional_t<no_tangents<Element>, NoTangent, std::array<Element, N>>;
};

template <class T, class Allocator>
struct TangentTrait<std::vector<T, Allocator>> {
  using Element = typename TangentTrait<T>::type;
  using type = std::conditional_t<no_tangents<Element>, NoTangent, std::vector<Element>>;
};

template <class T, class Allocator>
struct TangentTrait<std::deque<T, Allocator>> {
  using Element = typename TangentTrait<T>::type;
  using type = std::conditional_t<no_tangents<Element>, std::type_identity<NoTangent>,
                                  DequeOf<Element>>::type;
};

template <class Key, class T, class Compare, class Allocator>
struct TangentTrait<std::map<Key, T, Compare, Allocator>> {
  using Mapped = typename TangentTrait<T>::type;
  static constexpr bool has_none =
      no_tangents<Mapped> || !no_tangents<typename TangentTrait<Key>::type>;
  using type = std::conditional_t<has_none, std::type_identity<NoTangent>,
                                  MapOf<Mapped, Key, Compare>>::type;
};
template <class Key, class T, class Hash, class Equal, class Allocator>
struct TangentTrait<std::unordered_map<Key, T, Hash, Equal, Allocator>> {
  using Mapped = typename TangentTrait<T>::type;
  static constexpr bool has_none =
      no_tangents<Mapped> || !no_tangents<typename TangentTrait<Key>::type>;
  using type = std::conditional_t<has_none, std::type_identity<NoTangent>,
                                  HashMapOf<Mapped, Key, Hash, Equal>>::type;
};

template <class First, class Second>
struct TangentTrait<std::pair<First, Second>> {
  using InFirst = typename TangentTrait<First>::type;
  using InSecond = typename TangentTrait<Second>::type;
  using type =
      std::conditional_t<no_tangents<InFirst, InSecond>, NoTangent, std::pair<InFirst, InSecond>>;
};

template <class... Ts>
struct TangentTrait<std::tuple<Ts...>> {
  using type = std::conditional_t<no_tangents<typename TangentTrait<Ts>::type...>, NoTangent,
                                  std::tuple<typename TangentTrait<Ts>::type...>>;
};

/// An optional value and a variant: a place for each alternative, zero where it is not held.
template <class T>
struct TangentTrait<std::optional<T>> : TangentTrait<std::tuple<T>> {};
template <class... Ts>
struct TangentTrait<std::variant<Ts...>> : TangentTrait<std::tuple<Ts...>> {};

}  // namespace ddx::detail
