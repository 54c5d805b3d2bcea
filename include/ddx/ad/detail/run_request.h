/// \file
/// The way from an operator to the entry that the compiler defines, and back.

#pragma once

#include "ddx/ad/detail/entry.h"
#include "ddx/ad/detail/pullback_closure.h"
#include "ddx/ad/detail/request_checks.h"
#include "ddx/ad/detail/zeros.h"
#include "ddx/ad/no_tangent.h"
#include "ddx/ad/pullback.h"
#include "ddx/ad/results.h"

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ddx::detail {

/// The selected arguments, as a tuple of references.
template <std::size_t... Positions, class... Args>
constexpr auto selected(std::index_sequence<Positions...>, const Args&... args) {
  const auto all = std::tie(args...);
  return std::tie(std::get<Positions>(all)...);
}

/// The one element of a tuple of one, else the tuple.
template <class... Ts>
constexpr auto alone_or_tuple(std::tuple<Ts...>&& tuple) {
  if constexpr (sizeof...(Ts) == 1) {
    return std::get<0>(std::move(tuple));
  } else {
    return std::move(tuple);
  }
}

/// Serves value_with_gradient; a request that cannot be served gets a result of the same form.
template <class F, class... Args, std::size_t... Positions>
auto run_value_with_gradient(std::index_sequence<Positions...> positions, const F& f,
                             const Args&... args) {
  if constexpr (check_gradient_request<F, Args...>(positions)) {
    (void)&primal<F, Args...>;  // Instantiates the body that the compiler reads.
    const auto arguments = selected(positions, args...);
    TangentsOf<std::index_sequence<Positions...>, Args...> tangents(
        zeros_like(std::get<Positions>(std::tie(args...)))...);
    auto value = value_with_gradient_entry<std::index_sequence<Positions...>, F, Args...>(
        f, tangents, args...);
    for_each_pair(tangents, arguments, []<class Primal>(auto& tangent, const Primal& primal) {
      conform<Primal>(tangent, primal);
    });
    auto gradient = alone_or_tuple(std::move(tangents));
    return ValueWithGradient<decltype(value), decltype(gradient)>{std::move(value),
                                                                  std::move(gradient)};
  } else {
    return ValueWithGradient<NoTangent, NoTangent>{};
  }
}

/// Serves value_with_pullback, likewise. Differentiated code has value_with_closure instead.
template <class F, class... Args, std::size_t... Positions>
auto run_value_with_pullback(std::index_sequence<Positions...> positions, const F& f,
                             const Args&... args) {
  if constexpr (check_pullback_request<F, Args...>(positions)) {
    (void)&primal<F, Args...>;  // Instantiates the body that the compiler reads.
    (void)&value_with_closure<std::index_sequence<Positions...>, F, Args...>;
    using Value = ValueOf<F, Args...>;
    using Function = Pullback<Value, std::tuple_element_t<Positions, std::tuple<Args...>>...>;
    auto state = pullback_entry<std::index_sequence<Positions...>, F, Args...>(f, args...);
    Value value = state->value.value();
    const auto all = std::tie(args...);
    return ValueWithPullback<Value, Function>{
        std::move(value), Function(std::move(state), std::get<Positions>(all)...)};
  } else {
    return ValueWithPullback<NoTangent, NoTangent>{};
  }
}

}  // namespace ddx::detail
