/// \file
/// The type of a derivative's value: what a small change of a value is made of.

#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddx {

/// The tangent of a value that cannot change smoothly: an integer, a flag, a string.
struct NoTangent {
  friend constexpr bool operator==(NoTangent, NoTangent) = default;
};

namespace detail {

/// True where every type of the pack is NoTangent; such a container has no tangent either.
template <class... Tangents>
inline constexpr bool no_tangents = (std::same_as<Tangents, NoTangent> && ...);

template <class T>
struct TangentTrait {
  using type = NoTangent;
};

template <std::floating_point T>
struct TangentTrait<T> {
  using type = T;
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

}  // namespace detail

/// The type that holds a derivative with respect to a `T`, or of a result of type `T`.
///
/// Returns: `float`, `double`, `long double`: the type itself. `std::array`, `std::vector`,
///          `std::pair`, `std::tuple`, C arrays: the same container of tangents. A class with a
///          nested `TangentVector`: that type. Everything else, and containers of nothing but
///          such: NoTangent. References and const do not matter.
template <class T>
using TangentOf = typename detail::TangentTrait<std::remove_cvref_t<T>>::type;

/// Holds for types that carry a tangent, so that one can differentiate with respect to them.
template <class T>
concept Differentiable = !std::same_as<TangentOf<T>, NoTangent>;

}  // namespace ddx
