/// \file
/// The functions that the compiler finds undefined and defines.

#pragma once

#include "ddx/ad/detail/owned.h"
#include "ddx/ad/detail/pullback_state.h"
#include "ddx/ad/tangent.h"

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ddx::detail {

/// What a call of `f` with constant arguments returns, as a value.
template <class F, class... Args>
using ValueOf = std::decay_t<decltype(std::declval<const F&>()(std::declval<const Args&>()...))>;

template <class Wrt, class... Args>
struct TangentsTrait;

template <std::size_t... Positions, class... Args>
struct TangentsTrait<std::index_sequence<Positions...>, Args...> {
  using type = std::tuple<TangentOf<std::tuple_element_t<Positions, std::tuple<Args...>>>...>;
};

/// The tangents of the arguments that `Wrt`, a `std::index_sequence`, selects.
template <class Wrt, class... Args>
using TangentsOf = typename TangentsTrait<Wrt, Args...>::type;

/// What every request differentiates: an ordinary function with a body.
template <class F, class... Args>
decltype(auto) primal(const F& f, const Args&... args) {
  return f(args...);
}

/// Returns `f(args...)` and adds its derivative, times unit_seed(value), to `tangents`.
///
/// Declared only: the compiler defines each instantiation as an explicit specialisation. `Wrt` is a
/// `std::index_sequence` over `Args`; `F` is decayed. `tangents` arrives as zeros shaped like the
/// selected arguments.
template <class Wrt, class F, class... Args>
ValueOf<F, Args...> value_with_gradient_entry(const F& f, TangentsOf<Wrt, Args...>& tangents,
                                              const Args&... args);

/// Runs `f(args...)` and returns the state of its pullback, with its value.
///
/// Declared only: the compiler defines each instantiation as an explicit specialisation.
template <class Wrt, class F, class... Args>
Owned<PullbackState<ValueOf<F, Args...>, TangentsOf<Wrt, Args...>>> pullback_entry(
    const F& f, const Args&... args);

/// Returns `f(args...)` and hands the rows of its Jacobian to `rows`, from one forward sweep.
///
/// Declared only: the compiler defines each instantiation as an explicit specialisation. The value
/// is shown to `rows.begin(value)`; then, while `rows.next()`, the derivative times `rows.seed` is
/// added to the tuple `rows.tangents`, and `rows.end_row()` is called.
template <class Wrt, class F, class... Args, class Rows>
ValueOf<F, Args...> value_with_rows_entry(const F& f, Rows& rows, const Args&... args);

/// Returns `f(args...)` and assigns its tangent, along `tangents` of the selected arguments, to
/// `differential`.
///
/// Declared only: the compiler defines each instantiation as an explicit specialisation. `Tangents`
/// follow from the call; each has the shape of its argument.
template <class Wrt, class F, class... Args, class... Tangents>
ValueOf<F, Args...> value_with_differential_entry(const F& f,
                                                  TangentOf<ValueOf<F, Args...>>& differential,
                                                  const Args&... args, const Tangents&... tangents);

}  // namespace ddx::detail
