/// \file
/// The operators that turn a function into its derivatives.
///
/// The function is a lambda, a functor, or a function passed by name; it is called as const, with
/// const arguments. Derivatives are made when the program is compiled.

#pragma once

#include "ddx/ad/detail/request_checks.h"
#include "ddx/ad/detail/run_differential.h"
#include "ddx/ad/detail/run_request.h"
#include "ddx/ad/no_tangent.h"
#include "ddx/ad/results.h"
#include "ddx/ad/wrt.h"
#ifdef __DDX__
#include "ddx/ad/detail/appending.h"
#include "ddx/ad/detail/byte_copies.h"
#include "ddx/ad/detail/complex_functions.h"
#include "ddx/ad/detail/heaps.h"
#include "ddx/ad/detail/range_algorithms.h"
#include "ddx/ad/detail/rearrangements.h"
#include "ddx/ad/detail/vector_members.h"
// Derivatives need it at the end of the unit, where macros of the program would reach into it.
#include "ddx/ad/detail/synthesised.h"
#endif

#include <cstddef>
#include <type_traits>
#include <utility>

namespace ddx {

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

/// Returns the value and the derivative of a function of one number, by forward mode. The value may
/// be anything that has a tangent: the derivative of a vector is a vector.
///
/// Throws:  what `f` throws; std::bad_alloc.
/// Cost:    one to two calls of `f`.
/// Example: auto [y, slope] = ddx::value_with_derivative([](double x) { return x * x; }, 3.0);
template <class F, class Argument>
[[nodiscard]] auto value_with_derivative(const F& f, const Argument& x) {
  if constexpr (detail::check_derivative_request<std::decay_t<const F>, Argument>()) {
    using Function = std::decay_t<const F>;
    using Value = detail::ValueOf<Function, Argument>;
    auto result =
        detail::directional<std::index_sequence<0>, Function, Argument>(f, x, Argument(1));
    return ValueWithDerivative<Value, TangentOf<Value>>{std::move(result.value),
                                                        std::move(result.tangent)};
  } else {
    return ValueWithDerivative<NoTangent, NoTangent>{};
  }
}

/// Returns the derivative of a function of one number: of a number, a number.
///
/// Example: double slope = ddx::derivative([](double x) { return x * x; }, 3.0);
template <class F, class Argument>
[[nodiscard]] auto derivative(const F& f, const Argument& x) {
  return ddx::value_with_derivative(f, x).derivative;
}

/// Returns the value of `f` and its pullback with respect to all arguments. The pullback keeps what
/// `f` refers to as it is now.
///
/// Throws:  what `f` throws; std::bad_alloc.
/// Cost:    one call of `f` that saves what the way back needs; each call of the pullback then
///          costs about one or two calls of `f`. Inside differentiated code it calls `f` again.
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
