/// \file
/// What `ddx::value_with_pullback` is inside differentiated code: the value, and a closure that
/// calls the function again.
///
/// `Pullback` does not say which function it belongs to, so nothing could differentiate a call of
/// it. The compiler lowers `run_value_with_pullback` to this form, whose second member it knows by
/// its captures, and each call of the closure to one of `pulled_back`.

#pragma once

#include "ddx/ad/detail/entry.h"
#include "ddx/ad/pullback.h"

#include <cstddef>
#include <tuple>
#include <utility>

namespace ddx::detail {

/// The value of a function, and a function of its cotangents. Members in the order of
/// ValueWithPullback.
template <class Value, class Function>
struct ValueWithClosure {
  Value value;
  Function pullback;
};

/// Returns `f(args...)`; the cotangent is an argument that the value does not depend on.
template <class Cotangent, class F, class... Args>
decltype(auto) with_cotangent(const Cotangent&, const F& f, const Args&... args) {
  return f(args...);
}

template <class Wrt, class F, class... Args>
struct PullbackTrait;

template <std::size_t... Positions, class F, class... Args>
struct PullbackTrait<std::index_sequence<Positions...>, F, Args...> {
  using type =
      Pullback<ValueOf<F, Args...>, std::tuple_element_t<Positions, std::tuple<Args...>>...>;
};

template <class F, class... Args, std::size_t... Positions>
auto run_value_with_pullback(std::index_sequence<Positions...> positions, const F& f,
                             const Args&... args);

/// Returns the tangents of the arguments at `Positions` for one cotangent of the value of `f`. The
/// derivatives of a call are in `nested_pullback.h`.
template <class F, class... Args, std::size_t... Positions>
typename PullbackTrait<std::index_sequence<Positions...>, F, Args...>::type::Result pulled_back(
    std::index_sequence<Positions...> positions, const TangentOf<ValueOf<F, Args...>>& cotangent,
    const F& f, const Args&... args) {
  (void)&with_cotangent<TangentOf<ValueOf<F, Args...>>, F, Args...>;  // What is differentiated.
  return run_value_with_pullback<F, Args...>(positions, f, args...).pullback(cotangent);
}

/// Returns `{f(args...), pullback}`. Read by the compiler alone, which makes copies of what the
/// closure captures and of what `f` refers to: a Pullback does not see what becomes of them.
template <class Wrt, class F, class... Args>
auto value_with_closure(Wrt, const F& f, const Args&... args) {
  using Value = ValueOf<F, Args...>;
  const auto back = [&](const TangentOf<Value>& cotangent) {
    return pulled_back<F, Args...>(Wrt{}, cotangent, f, args...);
  };
  return ValueWithClosure<Value, std::remove_const_t<decltype(back)>>{f(args...), back};
}

}  // namespace ddx::detail
