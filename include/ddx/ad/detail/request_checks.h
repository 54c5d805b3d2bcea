/// \file
/// What every operator requires, each requirement one sentence.

#pragma once

#include "ddx/ad/detail/entry.h"
#include "ddx/ad/detail/unit_seed.h"
#include "ddx/ad/tangent.h"

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ddx::detail {

/// True where the ddx compiler builds this unit. Depends on a type, so that it is asked only when
/// an operator is used.
#ifdef __DDX__
template <class>
inline constexpr bool compiler_present = true;
#else
template <class>
inline constexpr bool compiler_present = false;
#endif

/// Holds where `f(args...)` compiles with a constant function and constant arguments.
template <class F, class... Args>
concept CallableAsConstant = requires(const F& f, const Args&... args) { f(args...); };

/// Fails where the argument at `Position` cannot be differentiated with respect to; returns whether
/// it has a type to continue with. The text of a static_assert is a literal, hence one for each
/// position.
template <std::size_t Position, class Argument>
constexpr bool require_tangent() {
  constexpr bool has_tangent = Differentiable<Argument> && !std::is_array_v<Argument>;
  static_assert(Position != 0 || has_tangent,
                "ddx: argument 0 after the function has no tangent (an integer, a C array, a class "
                "without DDX_DIFFERENTIABLE, ...); select the others with ddx::wrt<...>");
  static_assert(Position != 1 || has_tangent,
                "ddx: argument 1 after the function has no tangent (an integer, a C array, a class "
                "without DDX_DIFFERENTIABLE, ...); select the others with ddx::wrt<...>");
  static_assert(Position != 2 || has_tangent,
                "ddx: argument 2 after the function has no tangent (an integer, a C array, a class "
                "without DDX_DIFFERENTIABLE, ...); select the others with ddx::wrt<...>");
  static_assert(Position != 3 || has_tangent,
                "ddx: argument 3 after the function has no tangent (an integer, a C array, a class "
                "without DDX_DIFFERENTIABLE, ...); select the others with ddx::wrt<...>");
  static_assert(Position < 4 || has_tangent,
                "ddx: an argument after the function, the fifth or later, has no tangent (an "
                "integer, a C array, a class without DDX_DIFFERENTIABLE, ...); select the others "
                "with ddx::wrt<...>");
  return !std::is_array_v<Argument>;
}

/// Fails where a request cannot be served, with one sentence that says why. Returns whether the
/// code after it makes sense, so that the sentence stays the only error.
template <class F, class... Args, std::size_t... Positions>
constexpr bool check_request(std::index_sequence<Positions...>) {
  static_assert(compiler_present<F>,
                "ddx: derivatives are made by the ddx compiler, which does not build this file; "
                "compile it with ddx++ or, in CMake, call ddx_enable_autodiff(<target>)");
  static_assert(CallableAsConstant<F, Args...>,
                "ddx: the function cannot be called with these arguments; it is called as const, "
                "with const arguments");
  static_assert(sizeof...(Positions) > 0, "ddx: nothing to differentiate with respect to");
  static_assert(((Positions < sizeof...(Args)) && ...),
                "ddx: ddx::wrt<...> names a position that has no argument; positions count from 0, "
                "after the function");
  if constexpr (((Positions < sizeof...(Args)) && ...)) {
    const bool usable =
        (require_tangent<Positions, std::tuple_element_t<Positions, std::tuple<Args...>>>() && ...);
    return usable && CallableAsConstant<F, Args...> && sizeof...(Positions) > 0;
  } else {
    return false;
  }
}

/// As check_request, for operators that start from a seed of one.
template <class F, class... Args, std::size_t... Positions>
constexpr bool check_gradient_request(std::index_sequence<Positions...> positions) {
  if constexpr (CallableAsConstant<F, Args...>) {
    static_assert(ScalarResult<ValueOf<F, Args...>>,
                  "ddx: a gradient needs a function with a floating-point result; for any other "
                  "result use ddx::pullback, which takes the cotangent to start from");
  }
  return check_request<F, Args...>(positions);
}

/// As check_request, for operators that take the cotangent from the caller.
template <class F, class... Args, std::size_t... Positions>
constexpr bool check_pullback_request(std::index_sequence<Positions...> positions) {
  if constexpr (CallableAsConstant<F, Args...>) {
    static_assert(Differentiable<ValueOf<F, Args...>>,
                  "ddx: the result of the function has no tangent, so nothing can be pulled back");
  }
  return check_request<F, Args...>(positions);
}

/// As check_request, for operators of forward mode.
template <class F, class... Args, std::size_t... Positions>
constexpr bool check_differential_request(std::index_sequence<Positions...> positions) {
  if constexpr (CallableAsConstant<F, Args...>) {
    static_assert(
        Differentiable<ValueOf<F, Args...>>,
        "ddx: the result of the function has no tangent, so nothing can be differentiated");
  }
  return check_request<F, Args...>(positions);
}

/// As check_differential_request, for the derivative by one number.
template <class F, class Argument>
constexpr bool check_derivative_request() {
  static_assert(std::floating_point<Argument>,
                "ddx: a derivative is by one floating-point number; for any other argument use "
                "ddx::gradient");
  return check_differential_request<F, Argument>(std::index_sequence<0>{});
}

}  // namespace ddx::detail
