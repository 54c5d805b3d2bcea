/// \file
/// Functions that carry their derivatives with them.

#pragma once

#include "ddx/ad/attributes.h"
#include "ddx/ad/operators.h"
#include "ddx/ad/pullback.h"
#include "ddx/ad/results.h"
#include "ddx/ad/vjp.h"

#include <concepts>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ddx {

/// See the class below.
template <class Signature>
class DifferentiableFunction;

namespace detail {

/// Calls `f`; apart from the operator, because a derivative is registered for a function by name.
template <class R, class... A>
R call_differentiable(const DifferentiableFunction<R(A...)>& f, const A&... arguments);

}  // namespace detail

/// A function value that knows its derivative with respect to all its arguments: it can be stored,
/// passed on, chosen at run time, and called in differentiated code whose compiler does not know
/// which function it is.
///
/// Made of a lambda or functor. What that captured is a constant: it is copied, and has no tangent.
/// Arguments are passed as `const A&`; each must have a tangent, as must the result.
///
/// Example: ddx::differentiable<double(double)> f = [](double x) { return x * x; };
template <class R, class... A>
class DifferentiableFunction<R(A...)> {
 public:
  /// Keeps copies of `f`. Its derivatives are made where this is written.
  template <class F>
    requires(!std::same_as<std::decay_t<F>, DifferentiableFunction> && std::is_class_v<F> &&
             std::is_invocable_r_v<R, const F&, const A&...>)
  DifferentiableFunction(F f)  // NOLINT(google-explicit-constructor): stands for the function.
      : value_(f), with_pullback_([f](const A&... arguments) {
          return ddx::value_with_pullback(f, arguments...);
        }) {}

  /// Calls the function.
  ///
  /// Throws: std::bad_function_call after it was moved from; what the function throws.
  R operator()(const A&... arguments) const {
    return detail::call_differentiable(*this, arguments...);
  }

  /// The function behind the call.
  [[nodiscard]] const std::function<R(const A&...)>& target() const { return value_; }

  /// Calls the function, and returns the value with its pullback.
  [[nodiscard]] ValueWithPullback<R, Pullback<R, A...>> with_pullback(const A&... arguments) const {
    return with_pullback_(arguments...);
  }

 private:
  std::function<R(const A&...)> value_;
  std::function<ValueWithPullback<R, Pullback<R, A...>>(const A&...)> with_pullback_;
};

namespace detail {

template <class R, class... A>
R call_differentiable(const DifferentiableFunction<R(A...)>& f, const A&... arguments) {
  return f.target()(arguments...);
}

/// The derivative of a call.
template <class R, class... A>
DDX_DERIVATIVE_OF(call_differentiable)
auto call_differentiable_vjp(const DifferentiableFunction<R(A...)>& f, const A&... arguments) {
  auto [value, pullback] = f.with_pullback(arguments...);
  return ddx::vjp(std::move(value), std::move(pullback));
}

}  // namespace detail

/// As the guide and the compiler's messages name it.
template <class Signature>
using differentiable = DifferentiableFunction<Signature>;

}  // namespace ddx
