/// \file
/// Functions that carry their derivatives with them.

#pragma once

#include "ddx/ad/attributes.h"
#include "ddx/ad/detail/failures.h"
#include "ddx/ad/detail/owned.h"
#include "ddx/ad/operators.h"
#include "ddx/ad/pullback.h"
#include "ddx/ad/results.h"
#include "ddx/ad/vjp.h"

#include <concepts>
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

/// A function whose type is forgotten, with its derivative.
template <class R, class... A>
class ForgottenFunction {
 public:
  ForgottenFunction() = default;
  ForgottenFunction(const ForgottenFunction&) = delete;
  ForgottenFunction& operator=(const ForgottenFunction&) = delete;
  virtual ~ForgottenFunction() = default;

  virtual R value(const A&... arguments) const = 0;
  virtual ValueWithPullback<R, Pullback<R, A...>> with_pullback(const A&... arguments) const = 0;
};

}  // namespace detail

/// A function value that knows its derivative with respect to all its arguments: it can be stored,
/// passed on, chosen at run time, and called in differentiated code whose compiler does not know
/// which function it is.
///
/// Made of a lambda or functor. What that captured is a constant: it is copied, and has no tangent.
/// Copies share it.
/// Arguments are passed as `const A&`; each must have a tangent, as must the result.
///
/// Example: ddx::differentiable<double(double)> f = [](double x) { return x * x; };
template <class R, class... A>
class DifferentiableFunction<R(A...)> {
 public:
  /// Keeps a copy of `f`. Its derivatives are made where this is written.
  template <class F>
    requires(!std::same_as<std::decay_t<F>, DifferentiableFunction> && std::is_class_v<F> &&
             std::is_invocable_r_v<R, const F&, const A&...>)
  DifferentiableFunction(F f)  // NOLINT(google-explicit-constructor): represents the function.
      : function_(detail::Shared<Known<F>>::make(std::move(f))) {}

  /// Calls the function.
  ///
  /// Throws: std::bad_function_call after it was moved from; what the function throws.
  R operator()(const A&... arguments) const {
    return detail::call_differentiable(*this, arguments...);
  }

  /// Calls the function, and returns the value with its pullback.
  ///
  /// Throws: as the call does.
  [[nodiscard]] ValueWithPullback<R, Pullback<R, A...>> with_pullback(const A&... arguments) const {
    return target().with_pullback(arguments...);
  }

  /// The function behind the call.
  ///
  /// Throws: std::bad_function_call after this was moved from.
  [[nodiscard]] const detail::ForgottenFunction<R, A...>& target() const {
    if (!function_) {
      detail::throw_no_target();
    }
    return *function_;
  }

 private:
  template <class F>
  class Known final : public detail::ForgottenFunction<R, A...> {
   public:
    explicit Known(F f) : f_(std::move(f)) {}

    R value(const A&... arguments) const override { return f_(arguments...); }
    ValueWithPullback<R, Pullback<R, A...>> with_pullback(const A&... arguments) const override {
      return ddx::value_with_pullback(f_, arguments...);
    }

   private:
    F f_;
  };

  detail::Shared<const detail::ForgottenFunction<R, A...>> function_;
};

namespace detail {

template <class R, class... A>
R call_differentiable(const DifferentiableFunction<R(A...)>& f, const A&... arguments) {
  return f.target().value(arguments...);
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
