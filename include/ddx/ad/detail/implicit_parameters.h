/// \file
/// What implicit functions ask of their parameters, and how they pass them on.

#pragma once

#include "ddx/ad/detail/coordinates.h"
#include "ddx/ad/detail/differentiable_positions.h"
#include "ddx/ad/detail/direction.h"
#include "ddx/ad/detail/entry.h"
#include "ddx/ad/detail/run_differential.h"
#include "ddx/ad/detail/run_request.h"
#include "ddx/ad/tangent.h"

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddx::detail {

/// The calls of `F` with an unknown and the parameters of the tuple `P`: their derivatives by the
/// parameters that have tangents.
template <class F, class S, class P>
struct ParametersTrait;

template <class F, class S, class... P>
struct ParametersTrait<F, S, std::tuple<P...>> {
  /// Among the arguments of `F`, of which the first is the unknown.
  template <std::size_t... I>
  static auto shifted(std::index_sequence<I...>) {
    return std::index_sequence<(I + 1)...>{};
  }
  using Positions = DifferentiablePositions<P...>;
  using Arguments = decltype(shifted(Positions{}));
  using Value = ValueOf<F, S, P...>;

  static Value call(const S& unknown, const std::tuple<P...>& parameters) {
    return std::apply([&](const P&... each) { return Value(F{}(unknown, each...)); }, parameters);
  }

  /// The pullback by the arguments at `At`.
  template <class At>
  static auto pullback(At at, const S& unknown, const std::tuple<P...>& parameters) {
    return std::apply(
        [&](const P&... each) {
          return run_value_with_pullback<F, S, P...>(at, F{}, unknown, each...).pullback;
        },
        parameters);
  }

  /// The tangents of all parameters, from what a pullback by those that have tangents returns.
  template <class Result>
  static auto tangents(const Result& result) {
    TangentOf<std::tuple<P...>> all{};
    [&]<std::size_t... At>(std::index_sequence<At...>) {
      if constexpr (sizeof...(At) == 1) {
        ((std::get<At>(all) = result), ...);
      } else {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
          ((std::get<At>(all) = std::get<I>(result)), ...);
        }(std::make_index_sequence<sizeof...(At)>{});
      }
    }(Positions{});
    return all;
  }

  /// The tangent of the result along tangents of the parameters.
  template <class Tangents>
  static auto tangent_along(const Tangents& along, const S& unknown,
                            const std::tuple<P...>& parameters) {
    return std::apply(
        [&](const P&... each) {
          return [&]<std::size_t... At>(std::index_sequence<At...>) {
            return run_jvp<F, S, P...>(Arguments{}, F{}, make_direction(std::get<At>(along)...),
                                       unknown, each...)
                .tangent;
          }(Positions{});
        },
        parameters);
  }

  /// The tangent of the result along tangents of the unknown and the parameters. Plain code: the
  /// compiler differentiates it for second derivatives.
  template <std::size_t... I, std::size_t... At, class Tangents>
  static auto whole_tangent(std::index_sequence<I...>, std::index_sequence<At...>,
                            const S& d_unknown, const Tangents& along, const S& unknown,
                            const std::tuple<P...>& parameters) {
    using Wrt = std::index_sequence<0, (At + 1)...>;
    return directional<Wrt, F, S, P...>(F{}, unknown, std::get<I>(parameters)..., d_unknown,
                                        std::get<At>(along)...)
        .tangent;
  }
};

/// The pullback of `F` by the arguments at `At`.
template <class At, class F, class S, class P>
using PullbackBy = decltype(ParametersTrait<F, S, P>::pullback(At{}, std::declval<const S&>(),
                                                               std::declval<const P&>()));

/// The tangent of `F` as a function of the tangent of its unknown, and of all it is taken at: what
/// that tangent solves, so that it has derivatives in its turn.
template <class F>
struct TangentEquation {
  template <class S, class... P, class Tangents>
  auto operator()(const S& d_unknown, const S& unknown, const std::tuple<P...>& parameters,
                  const Tangents& along) const {
    using Trait = ParametersTrait<F, S, std::tuple<P...>>;
    return Trait::whole_tangent(std::index_sequence_for<P...>{}, typename Trait::Positions{},
                                d_unknown, along, unknown, parameters);
  }
};

/// Fails where a function, an unknown and parameters do not fit.
template <class F, class S, class... P>
constexpr bool check_implicit_request() {
  constexpr bool captures_nothing = std::is_empty_v<F> && std::default_initializable<F>;
  static_assert(captures_nothing,
                "ddx: this function may capture nothing, so that no derivative is lost: make it a "
                "lambda with [], and pass what it needs as parameters");
  constexpr bool has_numbers = std::same_as<TangentOf<S>, S>;
  static_assert(has_numbers,
                "ddx: the unknown consists of floating-point numbers alone: one, a vector, an "
                "array, or a tuple of such");
  constexpr bool has_parameter = (Differentiable<P> || ...);
  static_assert(has_parameter, "ddx: no parameter of this implicit function has a tangent");
  constexpr bool callable = CallableAsConstant<F, S, P...>;
  static_assert(callable,
                "ddx: the function of this implicit function cannot be called with the unknown and "
                "the parameters");
  return captures_nothing && has_numbers && has_parameter && callable;
}

/// The numbers of an unknown, a residual, or a tangent of one.
template <class T, class S>
std::vector<T> numbers_of(const S& unknown) {
  std::vector<T> numbers;
  for_each_coordinate(unknown, [&](const auto& number) { numbers.push_back(number); });
  return numbers;
}

/// An object of the shape of `shape` with other numbers.
template <class S, class T>
S with_numbers_of(S shape, const std::vector<T>& numbers) {
  std::size_t at = 0;
  for_each_coordinate(shape, [&](auto& number) {
    number = static_cast<std::remove_reference_t<decltype(number)>>(numbers[at++]);
  });
  return shape;
}

}  // namespace ddx::detail
