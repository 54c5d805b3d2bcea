/// \file
/// The derivative along a direction as a function, and its gradient in forward mode.

#pragma once

#include "ddx/ad/detail/entry.h"
#include "ddx/ad/detail/run_differential.h"
#include "ddx/ad/detail/run_request.h"
#include "ddx/ad/tangent.h"

#include <tuple>
#include <type_traits>
#include <utility>

namespace ddx::detail {

/// The derivative of a function along a direction.
template <class F, class X>
struct DerivativeAlong {
  F function;
  TangentOf<X> direction;  ///< With the shape of the argument.

  TangentOf<ValueOf<F, X>> operator()(const X& at) const {
    return derivative_along<F, X>(function, direction, at);
  }
};

/// Calls a function behind a pointer: which one, the path through memory finds at run time.
template <class F, class X>
struct CallByPointer {
  F function;

  ValueOf<F, X> operator()(const X& at) const { return function(at); }
};

/// The value and the gradient of a function. Its derivative goes through memory.
template <class F, class X>
struct GradientThroughMemory {
  using Function = std::conditional_t<std::is_pointer_v<F>, CallByPointer<F, X>, const F&>;

  Function function;

  std::pair<ValueOf<F, X>, TangentOf<X>> operator()(const X& at) const {
    auto result =
        run_value_with_gradient<std::decay_t<Function>, X>(std::index_sequence<0>{}, function, at);
    return {std::move(result.value), std::move(result.gradient)};
  }
};

/// Returns `f(at)` and sets its gradient, as the derivative of the function's gradient along the
/// direction: the entry of a gradient that goes through memory. The other way round, the reverse
/// sweep would find a cotangent for each tangent, whose place it would have to keep.
template <class F, class X>
TangentOf<ValueOf<F, X>> gradient_in_forward_mode(const DerivativeAlong<F, X>& f,
                                                  std::tuple<TangentOf<X>>& gradient, const X& at) {
  using Gradient = GradientThroughMemory<F, X>;
  auto tangent =
      directional<std::index_sequence<0>, Gradient, X>(Gradient{f.function}, at, f.direction)
          .tangent;
  std::get<0>(gradient) = std::move(tangent.second);
  return tangent.first;
}

}  // namespace ddx::detail
