/// \file
/// Products and quotients in pullbacks. Where the cotangent is exactly 0 they are 0, also where the
/// partial derivative is infinite or NaN: an element that `select` excludes contributes nothing. A
/// cotangent that is not 0, NaN included, is multiplied as usual.

#pragma once

#include "ddx/ad/results.h"
#include "ddx/core/dtype.h"
#include "ddx/tensor/complex.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <tuple>

namespace ddx::detail {

/// The sum of two terms of a tangent, stretched to `shape`; each may be a symbolic zero.
template <DifferentiableScalar Scalar>
Tensor<Scalar> sum_of_terms(const Tensor<Scalar>& a, const Tensor<Scalar>& b, const Shape& shape);

/// dy f, but 0 where dy is 0.
///
/// Shapes:   dy [...], f [...], broadcast together
/// Gradient: dz f to dy and dz dy to f, 0 where either factor is 0; summed over what was repeated.
template <TensorScalar Scalar>
Tensor<Scalar> cotangent_product(const Tensor<Scalar>& dy, const Tensor<Scalar>& f) {
  // Pullbacks of integers are compiled, but have no cotangents.
  constexpr ops::Op op = DifferentiableScalar<Scalar> ? ops::Op::cotangent_product : ops::Op::mul;
  return Tensor<Scalar>(binary(op, dy.array(), f.array(), {}));
}

/// dy / x, but 0 where dy is 0.
///
/// Shapes:   dy [...], x [...], broadcast together
/// Gradient: dz / x to dy and -dz y / x with the quotient y to x, 0 where either factor is 0;
///           summed over what was repeated.
template <TensorScalar Scalar>
Tensor<Scalar> cotangent_quotient(const Tensor<Scalar>& dy, const Tensor<Scalar>& x) {
  constexpr ops::Op op = DifferentiableScalar<Scalar> ? ops::Op::cotangent_quotient : ops::Op::div;
  return Tensor<Scalar>(binary(op, dy.array(), x.array(), {}));
}

/// a b, but 0 where either is 0: two cotangents of second derivatives, of which each may be that of
/// an excluded element.
///
/// Shapes:   a [...], b [...], broadcast together
/// Gradient: dz b to a and dz a to b, by the same rule.
template <DifferentiableScalar Scalar>
Tensor<Scalar> mutual_product(const Tensor<Scalar>& a, const Tensor<Scalar>& b) {
  const Array excluded = binary_right(ops::Op::equal, a.array(), literal(Scalar{}));
  return Tensor<Scalar>(select(excluded, a.array(), cotangent_product(b, a).array(), {}));
}

// Primal:  z = a b, 0 where a or b is 0
// Adjoint: adj[a] += b adj[z], adj[b] += a adj[z], by the same rule
// Saves:   a, b
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(mutual_product)
auto mutual_product_vjp(const Tensor<Scalar>& a, const Tensor<Scalar>& b) {
  return tensor_vjp(mutual_product(a, b), [a, b](const Tensor<Scalar>& dz, Wanted<2> wanted) {
    return std::tuple(
        wanted[0] ? sum_to(mutual_product(dz, conjugated(b)), a.shape()) : Tensor<Scalar>(),
        wanted[1] ? sum_to(mutual_product(dz, conjugated(a)), b.shape()) : Tensor<Scalar>());
  });
}

// Primal:  z = dy f, 0 where dy is 0
// Adjoint: adj[dy] += f adj[z], adj[f] += dy adj[z], 0 where a factor of these is 0
// Saves:   dy, f
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(cotangent_product)
auto cotangent_product_vjp(const Tensor<Scalar>& dy, const Tensor<Scalar>& f) {
  return tensor_vjp(cotangent_product(dy, f), [dy, f](const Tensor<Scalar>& dz, Wanted<2> wanted) {
    return std::tuple(
        wanted[0] ? sum_to(cotangent_product(dz, conjugated(f)), dy.shape()) : Tensor<Scalar>(),
        wanted[1] ? sum_to(mutual_product(dz, conjugated(dy)), f.shape()) : Tensor<Scalar>());
  });
}

// Tangent: d_dy f + dy d_f, each 0 where its cotangent is
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(cotangent_product)
auto cotangent_product_jvp(const Tensor<Scalar>& dy, const Tensor<Scalar>& f,
                           const Tensor<Scalar>& d_dy, const Tensor<Scalar>& d_f) {
  const auto z = cotangent_product(dy, f);
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{
      z, sum_of_terms(d_dy.is_symbolic_zero() ? d_dy : cotangent_product(d_dy, f),
                      d_f.is_symbolic_zero() ? d_f : cotangent_product(dy, d_f), z.shape())};
}

// Primal:  z = dy / x, 0 where dy is 0
// Adjoint: adj[dy] += adj[z] / x, adj[x] -= z adj[z] / x, 0 where a factor of these is 0
// Saves:   x, z
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(cotangent_quotient)
auto cotangent_quotient_vjp(const Tensor<Scalar>& dy, const Tensor<Scalar>& x) {
  const auto z = cotangent_quotient(dy, x);
  return tensor_vjp(z, [shape = dy.shape(), x, z](const Tensor<Scalar>& dz, Wanted<2> wanted) {
    const auto share = cotangent_quotient(dz, conjugated(x));
    return std::tuple(
        wanted[0] ? sum_to(share, shape) : Tensor<Scalar>(),
        wanted[1] ? -sum_to(mutual_product(share, conjugated(z)), x.shape()) : Tensor<Scalar>());
  });
}

// Tangent: (d_dy - z d_x) / x, 0 where both cotangents are
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(cotangent_quotient)
auto cotangent_quotient_jvp(const Tensor<Scalar>& dy, const Tensor<Scalar>& x,
                            const Tensor<Scalar>& d_dy, const Tensor<Scalar>& d_x) {
  const auto z = cotangent_quotient(dy, x);
  const auto change =
      sum_of_terms(d_dy, d_x.is_symbolic_zero() ? d_x : -cotangent_product(z, d_x), z.shape());
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{
      z, change.is_symbolic_zero() ? change : cotangent_quotient(change, x)};
}

}  // namespace ddx::detail
