/// \file
/// Calls the pullback of a registered derivative, in any of the forms it may have.

#pragma once

#include "ddx/ad/detail/tangent_kinds.h"
#include "ddx/ad/vjp.h"

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ddx::detail {

/// Holds where a result is the one tangent of a tuple of one.
template <class Result, class Tangents>
concept ConvertsToOnly = std::tuple_size_v<Tangents> == 1 &&
                         std::convertible_to<Result, std::tuple_element_t<0, Tangents>>;

/// Calls `pullback(seed)` or `pullback(seed, wanted)` and returns the tangents as a tuple.
///
/// `Tangents` is `std::tuple<TangentOf<P>...>` over the differentiable parameters; the pullback may
/// return that, something that converts to it, or, for one parameter, its tangent alone.
template <class Tangents, class Pullback, class Seed, std::size_t N>
[[nodiscard]] constexpr Tangents call_pullback(const Pullback& pullback, const Seed& seed,
                                               Wanted<N> wanted) {
  static_assert(N == std::tuple_size_v<Tangents>);
  const auto call = [&]() -> decltype(auto) {
    if constexpr (std::invocable<const Pullback&, const Seed&, Wanted<N>>) {
      return pullback(seed, wanted);
    } else {
      static_assert(std::invocable<const Pullback&, const Seed&>,
                    "ddx: the pullback of a registered derivative takes the tangent of the result "
                    "and, if it likes, a ddx::Wanted of the number of differentiable parameters; "
                    "it is called as const");
      return pullback(seed);
    }
  };
  using Result = std::remove_cvref_t<decltype(call())>;
  if constexpr (std::convertible_to<Result, Tangents>) {
    return Tangents(call());
  } else if constexpr (ConvertsToOnly<Result, Tangents>) {
    return Tangents(static_cast<std::tuple_element_t<0, Tangents>>(call()));
  } else {
    static_assert(N != 1 || unknown_tangent<Result>,
                  "ddx: the pullback of this registered derivative must return the tangent of its "
                  "one differentiable parameter");
    static_assert(N == 1 || unknown_tangent<Result>,
                  "ddx: the pullback of this registered derivative must return a std::tuple with "
                  "one tangent for each differentiable parameter, in order");
    return Tangents();
  }
}

/// The same with a seed that ends here, so that its memory is free for what comes next.
template <class Tangents, class Pullback, class Seed, std::size_t N>
  requires(!std::is_lvalue_reference_v<Seed> && !std::is_const_v<Seed>)
[[nodiscard]] constexpr Tangents call_pullback(const Pullback& pullback, Seed&& seed,
                                               Wanted<N> wanted) {
  const Seed held = std::move(seed);
  return call_pullback<Tangents>(pullback, held, wanted);
}

}  // namespace ddx::detail
