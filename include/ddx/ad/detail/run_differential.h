/// \file
/// The way from an operator of forward mode to the entry that the compiler defines.
///
/// Plain code, that of structs and calls: the compiler differentiates it where an operator stands
/// inside differentiated code.

#pragma once

#include "ddx/ad/detail/direction.h"
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

/// Returns the value and the tangent of `f` along `tangents`, which have the shapes of the selected
/// arguments.
template <class Wrt, class F, class... Args, class... Tangents>
auto directional(const F& f, const Args&... args, const Tangents&... tangents) {
  using Value = ValueOf<F, Args...>;
  (void)&primal<F, Args...>;  // Instantiates the body that the compiler reads.
  TangentOf<Value> tangent{};
  Value value = value_with_differential_entry<Wrt, F, Args...>(f, tangent, args..., tangents...);
  return ValueWithTangent<Value, TangentOf<Value>>{std::move(value), std::move(tangent)};
}

/// Returns the derivative of `f` at `x` along `v`, which has the shape of `x`.
template <class F, class X>
TangentOf<ValueOf<F, X>> derivative_along(const F& f, const TangentOf<X>& v, const X& x) {
  return directional<std::index_sequence<0>, F, X>(f, x, v).tangent;
}

/// The direction that goes with the arguments at `Positions`.
template <class Positions, class... Args>
struct DirectionTrait;

template <std::size_t... Positions, class... Args>
struct DirectionTrait<std::index_sequence<Positions...>, Args...> {
  using type = Direction<TangentOf<std::tuple_element_t<Positions, std::tuple<Args...>>>...>;
};

/// Calls directional with the parts of `direction`.
template <class Wrt, class F, class... Args, class Tangents, std::size_t... I>
auto directional_of(std::index_sequence<I...>, const F& f, const Tangents& direction,
                    const Args&... args) {
  return directional<Wrt, F, Args...>(f, args..., TangentAt<I>::of(direction)...);
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
template <std::size_t Position>
struct ArgumentAt {
  template <class First, class... Rest>
  static constexpr const auto& of(const First&, const Rest&... rest) {
    return ArgumentAt<Position - 1>::of(rest...);
  }
};

template <>
struct ArgumentAt<0> {
  template <class First, class... Rest>
  static constexpr const First& of(const First& first, const Rest&...) {
    return first;
  }
};

/// Serves jvp.
template <class F, class... Args, class... Tangents, std::size_t... Positions>
auto run_jvp(std::index_sequence<Positions...> positions, const F& f,
             const Direction<Tangents...>& along, const Args&... args) {
  using Wrt = std::index_sequence<Positions...>;
  if constexpr (check_differential_request<F, Args...>(positions)) {
    constexpr bool fits =
        std::is_same_v<Direction<Tangents...>, typename DirectionTrait<Wrt, Args...>::type>;
    static_assert(fits,
                  "ddx: a direction has one tangent for each selected argument, of type "
                  "ddx::TangentOf<Argument>, in order");
    if constexpr (fits) {
      Direction<Tangents...> direction = along;
      conform_direction(direction, ArgumentAt<Positions>::of(args...)...);
      return directional_of<Wrt, F, Args...>(std::index_sequence_for<Tangents...>{}, f, direction,
                                             args...);
    } else {
      return ValueWithTangent<NoTangent, NoTangent>{};
    }
  } else {
    return ValueWithTangent<NoTangent, NoTangent>{};
  }
}

}  // namespace ddx::detail
