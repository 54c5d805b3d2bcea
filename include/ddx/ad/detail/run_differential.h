/// \file
/// The way from an operator of forward mode to the entry that the compiler defines.
///
/// Plain code, that of structs and calls: the compiler differentiates it where an operator stands
/// inside differentiated code.

#pragma once

#include "ddx/ad/detail/entry.h"
#include "ddx/ad/detail/request_checks.h"
#include "ddx/ad/detail/zeros.h"
#include "ddx/ad/no_tangent.h"
#include "ddx/ad/results.h"

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ddx::detail {

/// Returns the value and the tangent of `f` along `direction`, whose parts have the shapes of the
/// selected arguments. Uses `direction` up.
template <class Wrt, class F, class... Args>
auto directional(const F& f, DirectionOf<Wrt, Args...>& direction, const Args&... args) {
  using Value = ValueOf<F, Args...>;
  (void)&primal<F, Args...>;  // Instantiates the body that the compiler reads.
  TangentOf<Value> tangent{};
  Value value = value_with_differential_entry<Wrt, F, Args...>(f, direction, tangent, args...);
  return ValueWithTangent<Value, TangentOf<Value>>{std::move(value), std::move(tangent)};
}

/// Gives the parts of a direction the shapes of the arguments at `Positions`.
template <class Direction>
constexpr void conform_direction(Direction&) {}

template <class Direction, class Primal, class... Primals>
constexpr void conform_direction(Direction& direction, const Primal& primal,
                                 const Primals&... primals) {
  conform<Primal>(direction.first, primal);
  conform_direction(direction.rest, primals...);
}

/// The argument at `Position`.
template <std::size_t Position, class First, class... Rest>
constexpr const auto& argument_at(const First& first, const Rest&... rest) {
  if constexpr (Position == 0) {
    return first;
  } else {
    return argument_at<Position - 1>(rest...);
  }
}

/// Serves jvp.
template <class F, class... Args, class... Tangents, std::size_t... Positions>
auto run_jvp(std::index_sequence<Positions...> positions, const F& f,
             const Direction<Tangents...>& along, const Args&... args) {
  using Wrt = std::index_sequence<Positions...>;
  if constexpr (check_differential_request<F, Args...>(positions)) {
    constexpr bool fits = std::is_same_v<Direction<Tangents...>, DirectionOf<Wrt, Args...>>;
    static_assert(fits,
                  "ddx: a direction has one tangent for each selected argument, of type "
                  "ddx::TangentOf<Argument>, in order");
    if constexpr (fits) {
      Direction<Tangents...> direction = along;
      conform_direction(direction, argument_at<Positions>(args...)...);
      return directional<Wrt, F, Args...>(f, direction, args...);
    } else {
      return ValueWithTangent<NoTangent, NoTangent>{};
    }
  } else {
    return ValueWithTangent<NoTangent, NoTangent>{};
  }
}

}  // namespace ddx::detail
