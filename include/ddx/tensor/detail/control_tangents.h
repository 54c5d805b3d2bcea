/// \file
/// Tangents of what goes through operations with regions.

#pragma once

#include "ddx/ad/detail/entry.h"
#include "ddx/ad/detail/zeros.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <tuple>
#include <utility>

namespace ddx::detail {

/// Zero tangents for the arguments at some positions.
template <std::size_t... Positions, class... Args>
auto zeros_at(std::index_sequence<Positions...>, const std::tuple<Args...>& args) {
  return TangentsOf<std::index_sequence<Positions...>, Args...>(
      zeros_like(std::get<Positions>(args))...);
}

/// Gives the tangents of the arguments at some positions the shapes of these.
template <std::size_t... Positions, class Tangents, class... Args>
void conform_at(std::index_sequence<Positions...> positions, Tangents& tangents,
                const std::tuple<Args...>& args) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (conform<std::tuple_element_t<Positions, std::tuple<Args...>>>(std::get<I>(tangents),
                                                                   std::get<Positions>(args)),
     ...);
  }(std::make_index_sequence<positions.size()>{});
}

/// The same with zeros that have the shapes.
template <class Positions, class... Args>
auto full_zeros_at(Positions positions, const std::tuple<Args...>& args) {
  auto tangents = zeros_at(positions, args);
  conform_at(positions, tangents, args);
  return tangents;
}

/// A tangent of the shape of its primal.
template <class Primal>
TangentOf<Primal> conformed(const TangentOf<Primal>& tangent, const Primal& primal) {
  TangentOf<Primal> made = tangent;
  conform<Primal>(made, primal);
  return made;
}

/// A direction without its first parts.
template <std::size_t count>
struct Without {
  template <class Direction>
  static constexpr const auto& of(const Direction& direction) {
    return Without<count - 1>::of(direction.rest);
  }
};

template <>
struct Without<0> {
  template <class Direction>
  static constexpr const Direction& of(const Direction& direction) {
    return direction;
  }
};

/// Whether a position is among some.
template <std::size_t... Positions>
constexpr bool has_position(std::index_sequence<Positions...>, std::size_t position) {
  return ((Positions == position) || ...);
}

}  // namespace ddx::detail
