/// \file
/// How the AD runtime adds, makes and shapes tangents that are tensors
/// (docs/design/001-ad-compiler.md).

#pragma once

#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/tangent_arrays.h"
#include "ddx/tensor/tensor.h"

#include <utility>

namespace ddx {

namespace detail {

/// The real and imaginary parts as the last axis.
template <ComplexScalar Scalar>
Tensor<typename Scalar::value_type> parts_of(const Tensor<Scalar>& x) {
  using Parts = Tensor<typename Scalar::value_type>;
  return x.is_symbolic_zero() ? Parts() : Parts(pairs_of(x.array(), x.device()));
}

}  // namespace detail

/// Adds `from` to `into`; the two may be one. A symbolic zero on either side costs nothing.
///
/// Shapes:  into [...], from [...], equal unless one is a symbolic zero
template <DifferentiableScalar Scalar>
void ddx_accumulate(Tensor<Scalar>& into, const Tensor<Scalar>& from) {
  if (into.is_symbolic_zero()) {
    into = from;
  } else if (!from.is_symbolic_zero()) {
    into = Tensor<Scalar>(detail::accumulated(std::move(into).array(), from.array()));
  }
}

/// Adds `from` to `into`, taking over its storage where `into` is a symbolic zero.
///
/// Shapes:  into [...], from [...], equal unless one is a symbolic zero
template <DifferentiableScalar Scalar>
void ddx_accumulate(Tensor<Scalar>& into, Tensor<Scalar>&& from) {
  if (into.is_symbolic_zero()) {
    into = std::move(from);
  } else if (!from.is_symbolic_zero()) {
    into = Tensor<Scalar>(detail::accumulated(std::move(into).array(), from.array()));
  }
}

/// The zero tangent of any tensor: symbolic.
///
/// Shapes:  primal [...] -> symbolic
template <DifferentiableScalar Scalar>
Tensor<Scalar> ddx_zeros_like(const Tensor<Scalar>&) {
  return {};
}

/// Turns a symbolic zero into zeros of the shape and device of `primal`, and takes a tangent that
/// was recorded for another device to that of `primal`: functions that are recorded capture from
/// all.
///
/// Shapes:  tangent symbolic, primal [...] -> tangent [...]
template <DifferentiableScalar Scalar>
void ddx_conform(Tensor<Scalar>& tangent, const Tensor<Scalar>& primal) {
  if (tangent.is_symbolic_zero()) {
    tangent = Tensor<Scalar>(detail::zeros_beside(primal.array()));
  } else if (tangent.device() != primal.device()) {
    tangent = Tensor<Scalar>(detail::taken_beside(tangent.array(), primal.array()));
  }
}

/// The sum of the products of the elements, of complex ones that of the products of their parts:
/// the real part of sum conj(a) b. A symbolic zero counts as zeros.
///
/// Shapes:  a [...], b [...], equal unless one is a symbolic zero
template <DifferentiableScalar Scalar>
auto ddx_inner(const Tensor<Scalar>& a, const Tensor<Scalar>& b) {
  if constexpr (ComplexScalar<Scalar>) {
    return ddx_inner(detail::parts_of(a), detail::parts_of(b));
  } else {
    if (a.is_symbolic_zero() || b.is_symbolic_zero()) {
      return Scalar{};
    }
    const Tensor<Scalar> products(detail::binary(ops::Op::mul, a.array(), b.array(), {}));
    return Tensor<Scalar>(detail::reduce(ops::Op::sum, products.array(), {}, {})).item();
  }
}

/// The cotangent that makes a pullback a gradient: one.
///
/// Shapes:  value with one element, [...] -> [...]
/// Throws:  UsageError where the value has not exactly one element.
template <DifferentiableScalar Scalar>
Tensor<Scalar> ddx_unit_seed(const Tensor<Scalar>& value) {
  return Tensor<Scalar>(detail::unit_seed_beside(value.array()));
}

}  // namespace ddx
