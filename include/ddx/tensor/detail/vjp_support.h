/// \file
/// What the registered derivatives of tensor operations share.

#pragma once

#include "ddx/ad/attributes.h"
#include "ddx/ad/results.h"
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

/// A pullback as above of a function of one tensor whose Jacobian is symmetric: forward mode calls
/// it with the tangent.
template <class Pullback>
struct Symmetric {
  using DdxSymmetric = void;

  Pullback pullback;

  template <class Tangent>
  auto operator()(const Tangent& dy) const {
    return dy.is_symbolic_zero() ? Tangent() : pullback(dy);
  }
};

/// ddx::vjp for a function of one tensor applied to each element, so that its Jacobian is diagonal.
template <TensorScalar Scalar, class Pullback>
auto elementwise_vjp(Tensor<Scalar> value, Pullback pullback) {
  if constexpr (ComplexScalar<Scalar>) {
    return vjp(std::move(value), ZeroAware<Pullback>{std::move(pullback)});
  } else {
    return vjp(std::move(value), Symmetric<Pullback>{std::move(pullback)});
  }
}

/// ddx::vjp for a function whose value is a tensor: the pullback need not care for symbolic zeros.
template <class Value, class Pullback>
auto tensor_vjp(Value value, Pullback pullback) {
  return vjp(std::move(value), ZeroAware<Pullback>{std::move(pullback)});
}

/// The value of a function of one tensor with its tangent: what `map` makes of the tangent of the
/// argument, which it need not do for symbolic zeros.
template <class Value, class Tangent, class Map>
ValueWithTangent<Value, Value> tensor_jvp(Value value, const Tangent& dx, const Map& map) {
  return {std::move(value), dx.is_symbolic_zero() ? Value() : map(dx)};
}

/// The number as an element.
template <DifferentiableScalar Scalar>
Scalar number(double value) {
  if constexpr (ComplexScalar<Scalar>) {
    return Scalar(static_cast<typename Scalar::value_type>(value));
  } else {
    return static_cast<Scalar>(value);
  }
}

/// The sum of all elements.
template <DifferentiableScalar Scalar>
Scalar sum_all(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(reduce(ops::Op::sum, x.array(), {}, {})).item();
}

// Primal:  y = sum_i x_i
// Adjoint: adj[x_i] += adj[y]
// Saves:   the shape
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(sum_all)
auto sum_all_vjp(const Tensor<Scalar>& x) {
  return vjp(sum_all(x), [shape = x.shape(), device = x.device()](const Scalar& dy) {
    return Tensor<Scalar>(full(shape, literal(dy), dtype_of<Scalar>, device));
  });
}

// Tangent: sum_i dx_i
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(sum_all)
auto sum_all_jvp(const Tensor<Scalar>& x, const Tensor<Scalar>& dx) {
  return ValueWithTangent<Scalar, Scalar>{sum_all(x),
                                          dx.is_symbolic_zero() ? Scalar{} : sum_all(dx)};
}

}  // namespace ddx::detail
