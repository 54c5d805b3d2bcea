/// \file
/// The tangent of a result of which only the pullback is known, and not how many numbers it has.

#pragma once

#include "ddx/ad/detail/run_request.h"
#include "ddx/ad/detail/zeros.h"
#include "ddx/ad/no_tangent.h"
#include "ddx/ad/vjp.h"

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ddx::detail {

/// What `pullback` does, without what it does to symbolic zeros: a class says so by
/// `ddx_bare_pullback(pullback)`, found by argument-dependent lookup.
template <class Pullback>
const auto& bare_pullback(const Pullback& pullback) {
  if constexpr (requires { ddx_bare_pullback(pullback); }) {
    return ddx_bare_pullback(pullback);
  } else {
    return pullback;
  }
}

/// The pullback as a function of the cotangent alone.
template <class Seed, class Pullback, std::size_t N>
auto of_seed(const Pullback& pullback, const Wanted<N>& wanted) {
  if constexpr (std::invocable<const Pullback&, const Seed&, Wanted<N>>) {
    return [&pullback, &wanted](const Seed& seed) { return pullback(seed, wanted); };
  } else {
    return [&pullback](const Seed& seed) { return pullback(seed); };
  }
}

/// The tangent of an argument, and zeros for one that is constant.
template <class Tangent, class Given>
Tangent tangent_or_zero(const Given& given) {
  if constexpr (std::is_same_v<Given, NoTangent>) {
    return Tangent{};
  } else {
    return given;
  }
}

/// Writes the tangent of `value` into `into`. A pullback is a linear map, the transpose of the
/// Jacobian; so its own pullback, wherever taken, is the Jacobian. A NoTangent among `tangents`
/// represents a constant.
///
/// Cost: one run of `pullback` with a record, and its way back.
template <class Parts, class Pullback, class Value, class Tangent, std::size_t N, class... Tangents>
void tangent_by_transpose(const Pullback& pullback, const Value& value, Tangent& into,
                          const Wanted<N>& wanted, const Tangents&... tangents) {
  Tangent at = zeros_like(value);
  conform<Value>(at, value);
  const auto back = of_seed<Tangent>(bare_pullback(pullback), wanted);
  using Back = std::remove_const_t<decltype(back)>;
  const auto transposed =
      run_value_with_pullback<Back, Tangent>(std::index_sequence<0>{}, back, at).pullback;
  using Result = ValueOf<Back, Tangent>;
  const auto along = [&]<std::size_t... I>(std::index_sequence<I...>) {
    return Parts(tangent_or_zero<std::tuple_element_t<I, Parts>>(tangents)...);
  }(std::index_sequence_for<Tangents...>{});
  if constexpr (std::is_same_v<Result, Parts>) {
    into = transposed(along);
  } else {
    static_assert(N == 1,
                  "ddx: in forward mode, the pullback of this registered derivative must "
                  "return a std::tuple of the tangents themselves");
    into = transposed(std::get<0>(along));
  }
}

}  // namespace ddx::detail
