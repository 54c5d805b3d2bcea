/// \file
/// What the registered derivatives of tensor operations share.

#pragma once

#include "ddx/ad/vjp.h"
#include "ddx/core/dtype.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/tensor.h"

#include <concepts>
#include <type_traits>
#include <utility>

namespace ddx::detail {

/// A pullback that answers a symbolic zero with zeros, and asks `pullback` otherwise.
template <class Pullback>
struct ZeroAware {
  Pullback pullback;

  template <class Cotangent, class... Wanted>
    requires std::invocable<const Pullback&, const Cotangent&, Wanted...>
  auto operator()(const Cotangent& dy, Wanted... wanted) const {
    using Tangents = std::invoke_result_t<const Pullback&, const Cotangent&, Wanted...>;
    return dy.is_symbolic_zero() ? Tangents() : pullback(dy, wanted...);
  }
};

/// The pullback inside: forward mode differentiates it.
template <class Pullback>
const Pullback& ddx_bare_pullback(const ZeroAware<Pullback>& pullback) {
  return pullback.pullback;
}

/// ddx::vjp for a function whose value is a tensor: the pullback need not care for symbolic zeros.
template <class Value, class Pullback>
auto tensor_vjp(Value value, Pullback pullback) {
  return vjp(std::move(value), ZeroAware<Pullback>{std::move(pullback)});
}

/// The sum of all elements.
template <FloatingScalar Scalar>
Scalar sum_all(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(reduce(ops::Op::sum, x.array(), {}, {})).item();
}

}  // namespace ddx::detail
