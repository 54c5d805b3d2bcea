/// \file
/// Which of several types have a tangent.

#pragma once

#include "ddx/ad/tangent.h"

#include <array>
#include <cstddef>
#include <utility>

namespace ddx::detail {

/// Finds the positions of the types that have a tangent.
template <class... Types>
struct DifferentiablePositionsTrait {
  static constexpr std::size_t count = (std::size_t{0} + ... + Differentiable<Types>);
  static constexpr auto list = [] {
    std::array<std::size_t, count + 1> found{};
    std::size_t next = 0, at = 0;
    ((Differentiable<Types> ? void(found[next++] = at++) : void(++at)), ...);
    return found;
  }();
  template <std::size_t... I>
  static constexpr auto pick(std::index_sequence<I...>) {
    return std::index_sequence<list[I]...>{};
  }
  using type = decltype(pick(std::make_index_sequence<count>{}));
};

/// The positions of the types that have a tangent, as a std::index_sequence.
template <class... Types>
using DifferentiablePositions = typename DifferentiablePositionsTrait<Types...>::type;

}  // namespace ddx::detail
