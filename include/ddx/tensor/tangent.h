/// \file
/// How the AD runtime adds, makes and shapes tangents that are tensors
/// (docs/design/001-ad-compiler.md).

#pragma once

#include "ddx/ad/attributes.h"
#include "ddx/ad/vjp.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/tangent_arrays.h"
#include "ddx/tensor/tensor.h"

#include <tuple>
#include <utility>

namespace ddx {

namespace detail {

/// The real and imaginary parts as the last axis.
template <ComplexScalar Scalar>
Tensor<typename Scalar::value_type> parts_of(const Tensor<Scalar>& x) {
  using Parts = Tensor<typename Scalar::value_type>;
  return x.is_symbolic_zero() ? Parts() : Parts(pairs_of(x.array(), x.device()));
}

/// into + from, of equal shapes; in place where `into` is unshared.
template <DifferentiableScalar Scalar>
Tensor<Scalar> sum_of_tangents(Tensor<Scalar> into, const Tensor<Scalar>& from) {
  return Tensor<Scalar>(accumulated(std::move(into).array(), from.array()));
}

// Primal:  y = a + b
// Adjoint: adj[a] += adj[y], adj[b] += adj[y]
// Saves:   nothing
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(sum_of_tangents)
auto sum_of_tangents_vjp(Tensor<Scalar> into, const Tensor<Scalar>& from) {
  return vjp(sum_of_tangents(std::move(into), from),
             [](const Tensor<Scalar>& dy) { return std::tuple(dy, dy); });
}

/// Whether the sum can be written into the storage of `into`, which cannot fail.
template <DifferentiableScalar Scalar>
bool adds_in_place(const Tensor<Scalar>& into, const Tensor<Scalar>& from) {
  return &into != &from && into.array().unshared() && into.shape() == from.shape() &&
         into.device() == from.device();
}

/// into += from; the two may be one. If the sum throws, `into` is unchanged.
template <DifferentiableScalar Scalar>
void add_tangent(Tensor<Scalar>& into, const Tensor<Scalar>& from) {
  if (adds_in_place(into, from)) {
    into = sum_of_tangents(std::move(into), from);
  } else {
    into = sum_of_tangents(into, from);
  }
}

/// The tangent, or zeros of the shape of `primal` for a symbolic zero, on the device of `primal`;
/// a symbolic zero where both are.
template <DifferentiableScalar Scalar>
Tensor<Scalar> conformed(const Tensor<Scalar>& tangent, const Tensor<Scalar>& primal) {
  return Tensor<Scalar>(tangent.is_symbolic_zero() ? zeros_beside(primal.array())
                                                   : taken_beside(tangent.array(), primal.array()));
}

// Primal:  y = a, in the shape of b
// Adjoint: adj[a] += adj[y]
// Saves:   nothing
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(conformed)
auto conformed_vjp(const Tensor<Scalar>& tangent, const Tensor<Scalar>& primal) {
  return vjp(conformed(tangent, primal),
             [](const Tensor<Scalar>& dy) { return std::tuple(dy, Tensor<Scalar>()); });
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
    detail::add_tangent(into, from);
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
    detail::add_tangent(into, from);
  }
}

/// The zero tangent of any tensor: symbolic.
///
/// Shapes:  primal [...] -> symbolic
template <DifferentiableScalar Scalar>
Tensor<Scalar> ddx_zeros_like(const Tensor<Scalar>&) {
  return {};
}

/// Turns a symbolic zero into zeros of the shape and device of `primal`, unless that is one, too,
/// which belongs to every device; and takes a tangent that
/// was recorded for another device to that of `primal`: functions that are recorded capture from
/// all.
///
/// Shapes:  tangent symbolic, primal [...] -> tangent [...]
template <DifferentiableScalar Scalar>
void ddx_conform(Tensor<Scalar>& tangent, const Tensor<Scalar>& primal) {
  if (tangent.is_symbolic_zero() || tangent.device() != primal.device()) {
    tangent = detail::conformed(tangent, primal);
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
