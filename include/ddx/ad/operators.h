/// \file
/// The operators that turn a function into its derivatives.
///
/// The function is a lambda, a functor, or a function passed by name; it is called as const, with
/// const arguments. Derivatives are made when the program is compiled.

#pragma once

#include "ddx/ad/detail/entry.h"
#include "ddx/ad/detail/request_checks.h"
#include "ddx/ad/detail/zeros.h"
#include "ddx/ad/pullback.h"
#include "ddx/ad/tangent.h"
#include "ddx/ad/wrt.h"

#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ddx {

/// The value of a function and its gradient: one tangent, or a tuple of several.
template <class Value, class Gradient>
struct ValueWithGradient {
  Value value;
  Gradient gradient;
};

/// The value of a function and its derivative by its one argument.
template <class Value, class Derivative>
struct ValueWithDerivative {
  Value value;
  Derivative derivative;
};

/// The value of a function and its pullback at the same arguments.
template <class Value, class Function>
struct ValueWithPullback {
  Value value;
  Function pullback;
};

namespace detail {

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

template <class F, class... Args, std::size_t... Positions>
auto run_value_with_gradient(std::index_sequence<Positions...> positions, const F& f,
                             const Args&... args) {
  if constexpr (check_gradient_request<F, Args...>(positions)) {
    (void)&primal<F, Args...>;  // Instantiates the body that the compiler reads.
    const auto arguments = selected(positions, args...);
    TangentsOf<std::index_sequence<Positions...>, Args...> tangents(
        zeros_like(std::get<Positions>(std::tie(args...)))...);
    auto value = [&]() -> ValueOf<F, Args...> {
      if constexpr (compiler_present<F>) {
        return value_with_gradient_entry<std::index_sequence<Positions...>, F, Args...>(f, tangents,
                                                                                        args...);
      } else {
        return f(args...);  // Never runs: keeps the message of check_request the only one.
      }
    }();
    for_each_pair(tangents, arguments, []<class Primal>(auto& tangent, const Primal& primal) {
      conform<Primal>(tangent, primal);
    });
    auto gradient = alone_or_tuple(std::move(tangents));
    return ValueWithGradient<decltype(value), decltype(gradient)>{std::move(value),
                                                                  std::move(gradient)};
  }
}

template <class F, class... Args, std::size_t... Positions>
auto run_value_with_pullback(std::index_sequence<Positions...> positions, const F& f,
                             const Args&... args) {
  if constexpr (check_pullback_request<F, Args...>(positions)) {
    (void)&primal<F, Args...>;  // Instantiates the body that the compiler reads.
    using Value = ValueOf<F, Args...>;
    using Function = Pullback<Value, std::tuple_element_t<Positions, std::tuple<Args...>>...>;
    std::unique_ptr<typename Function::State> state;
    if constexpr (compiler_present<F>) {
      state = pullback_entry<std::index_sequence<Positions...>, F, Args...>(f, args...);
    }
    Value value = *state->value;
    const auto all = std::tie(args...);
    return ValueWithPullback<Value, Function>{
        std::move(value), Function(std::move(state), std::get<Positions>(all)...)};
  }
}

}  // namespace detail

/// Returns the value of `f` and its gradient with respect to all arguments.
///
/// Returns: `{value, gradient}`; gradient is the tangent of the one argument, or a tuple with one
///          tangent for each of several.
/// Throws:  what `f` throws; std::bad_alloc.
/// Cost:    a small multiple of one call of `f`, whatever the number of inputs.
/// Example: auto [y, dy] = ddx::value_with_gradient([](double x) { return x * x; }, 3.0);
template <class F, class... Args>
[[nodiscard]] auto value_with_gradient(const F& f, const Args&... args) {
  return detail::run_value_with_gradient<std::decay_t<const F>, Args...>(
      std::index_sequence_for<Args...>{}, f, args...);
}

/// As above, with respect to the selected arguments alone.
///
/// Example: auto [y, da] = ddx::value_with_gradient(f, ddx::wrt<0>, a, b);
template <class F, std::size_t... Positions, class... Args>
[[nodiscard]] auto value_with_gradient(const F& f, Wrt<Positions...>, const Args&... args) {
  return detail::run_value_with_gradient<std::decay_t<const F>, Args...>(
      std::index_sequence<Positions...>{}, f, args...);
}

/// Returns the gradient of `f` with respect to all arguments: one tangent, or a tuple of several.
///
/// Throws:  what `f` throws; std::bad_alloc.
/// Cost:    that of value_with_gradient.
/// Example: auto [dx, dy] = ddx::gradient([](double x, double y) { return x * y; }, 2.0, 3.0);
template <class F, class... Args>
[[nodiscard]] auto gradient(const F& f, const Args&... args) {
  return ddx::value_with_gradient(f, args...).gradient;
}

/// Returns the derivative of a function of one number, as a number.
///
/// Example: double slope = ddx::derivative([](double x) { return x * x; }, 3.0);
template <class F, class Argument>
[[nodiscard]] auto derivative(const F& f, const Argument& x) {
  if constexpr (detail::check_derivative_request<std::decay_t<const F>, Argument>()) {
    return ddx::value_with_gradient(f, x).gradient;
  }
}

/// Returns the value and the derivative of a function of one number.
///
/// Example: auto [y, slope] = ddx::value_with_derivative([](double x) { return x * x; }, 3.0);
template <class F, class Argument>
[[nodiscard]] auto value_with_derivative(const F& f, const Argument& x) {
  if constexpr (detail::check_derivative_request<std::decay_t<const F>, Argument>()) {
    auto [value, gradient] = ddx::value_with_gradient(f, x);
    return ValueWithDerivative<decltype(value), decltype(gradient)>{std::move(value),
                                                                    std::move(gradient)};
  }
}

/// Returns the value of `f` and its pullback with respect to all arguments.
///
/// Throws:  what `f` throws; std::bad_alloc.
/// Cost:    one call of `f` that saves what the way back needs; each call of the pullback then
/// costs
///          about one or two calls of `f`.
/// Example: auto [y, back] = ddx::value_with_pullback(f, x); auto dx = back(dy);
template <class F, class... Args>
[[nodiscard]] auto value_with_pullback(const F& f, const Args&... args) {
  return detail::run_value_with_pullback<std::decay_t<const F>, Args...>(
      std::index_sequence_for<Args...>{}, f, args...);
}

/// As above, with respect to the selected arguments alone.
///
/// Example: auto [y, back] = ddx::value_with_pullback(f, ddx::wrt<1>, a, b); auto db = back(dy);
template <class F, std::size_t... Positions, class... Args>
[[nodiscard]] auto value_with_pullback(const F& f, Wrt<Positions...>, const Args&... args) {
  return detail::run_value_with_pullback<std::decay_t<const F>, Args...>(
      std::index_sequence<Positions...>{}, f, args...);
}

/// Returns the pullback of `f` at the arguments: from a cotangent of the result to the tangent of
/// the one argument, or a tuple of several. Takes `ddx::wrt<...>` after `f` like the others.
///
/// Throws:  what `f` throws; std::bad_alloc.
/// Example: ddx::Pullback<double, double> back = ddx::pullback(f, 3.0); double dx = back(1.0);
template <class F, class... Args>
[[nodiscard]] auto pullback(const F& f, const Args&... args) {
  return ddx::value_with_pullback(f, args...).pullback;
}

}  // namespace ddx
