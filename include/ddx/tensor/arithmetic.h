/// \file
/// Addition, subtraction, multiplication, division and negation: the operators of tensors.
///
/// Shapes broadcast: aligned at the last axis, axes that are missing or have extent 1 are repeated.
/// A bare number goes with every shape. Integers wrap around on overflow; dividing an integer by
/// zero throws a UsageError. The gradients of complex operands take the conjugates of what they
/// multiply by. Where a cotangent is 0, its products with infinities and NaN are 0. An operator
/// cannot capture the line it is called from: its messages name it in programs with debug
/// information (-g).

#pragma once

#include "ddx/ad/results.h"
#include "ddx/ad/vjp.h"
#include "ddx/tensor/complex.h"
#include "ddx/tensor/detail/bare_number.h"
#include "ddx/tensor/detail/cotangent_product.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <source_location>
#include <tuple>
#include <utility>

namespace ddx {

namespace detail {

/// The cotangent of an operand of shape `shape`, or nothing where it is not wanted.
template <TensorScalar Scalar>
Tensor<Scalar> reduced(bool wanted, const Tensor<Scalar>& dy, const Shape& shape) {
  return wanted ? sum_to(dy, shape) : Tensor<Scalar>();
}

}  // namespace detail

/// Shapes:   x [...] -> [...]
/// Gradient: -dy.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> operator-(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::neg, x.array()));
}

// Primal:  y = -x
// Adjoint: adj[x] -= adj[y]
// Saves:   nothing
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(operator-)
auto neg_vjp(const Tensor<Scalar>& x) {
  return detail::elementwise_vjp(-x, [](const Tensor<Scalar>& dy) { return -dy; });
}

/// Shapes:   a [...], b [...], broadcast together
/// Throws:   UsageError where they do not broadcast, or lie on different devices.
/// Gradient: dy to both, summed over what was repeated.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> operator+(const Tensor<Scalar>& a, const Tensor<Scalar>& b) {
  return Tensor<Scalar>(detail::binary(ops::Op::add, a.array(), b.array(), {}));
}

// Primal:  y = a + b
// Adjoint: adj[a] += adj[y], adj[b] += adj[y], each summed over repetitions
// Saves:   nothing
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(operator+)
auto add_vjp(const Tensor<Scalar>& a, const Tensor<Scalar>& b) {
  return detail::tensor_vjp(a + b, [shape_a = a.shape(), shape_b = b.shape()](
                                       const Tensor<Scalar>& dy, Wanted<2> wanted) {
    return std::tuple(detail::reduced(wanted[0], dy, shape_a),
                      detail::reduced(wanted[1], dy, shape_b));
  });
}

namespace detail {

template <DifferentiableScalar Scalar>
Tensor<Scalar> sum_of_terms(const Tensor<Scalar>& a, const Tensor<Scalar>& b, const Shape& shape) {
  if (a.is_symbolic_zero() && b.is_symbolic_zero()) {
    return Tensor<Scalar>();
  }
  const Tensor<Scalar> sum = a.is_symbolic_zero() ? b : b.is_symbolic_zero() ? a : a + b;
  return sum.shape() == shape ? sum : broadcast_to(sum, shape);
}

}  // namespace detail

// Tangent: da + db
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(operator+)
auto add_jvp(const Tensor<Scalar>& a, const Tensor<Scalar>& b, const Tensor<Scalar>& da,
             const Tensor<Scalar>& db) {
  const auto y = a + b;
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{y,
                                                          detail::sum_of_terms(da, db, y.shape())};
}

/// Shapes:   a [...] -> [...]
/// Gradient: dy to the tensor, its sum to the number.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> operator+(const Tensor<Scalar>& a, detail::BareNumber<Scalar> b) {
  return Tensor<Scalar>(detail::binary_right(ops::Op::add, a.array(), detail::literal<Scalar>(b)));
}

// Primal:  y = a + b
// Adjoint: adj[a] += adj[y], adj[b] += sum adj[y]
// Saves:   nothing
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(operator+)
auto add_number_vjp(const Tensor<Scalar>& a, detail::BareNumber<Scalar> b) {
  return detail::tensor_vjp(a + b, [](const Tensor<Scalar>& dy, Wanted<2> wanted) {
    return std::tuple(dy, wanted[1] ? detail::sum_all(dy) : Scalar{});
  });
}

// Tangent: da + db
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(operator+)
auto add_number_jvp(const Tensor<Scalar>& a, detail::BareNumber<Scalar> b, const Tensor<Scalar>& da,
                    detail::BareNumber<Scalar> db, Wanted<2> moving = Wanted<2>::all()) {
  const auto y = a + b;
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{
      y, moving[1] ? detail::conformed(da, y) + db : da};
}

/// Shapes:   b [...] -> [...]
/// Gradient: dy to the tensor, its sum to the number.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> operator+(detail::BareNumber<Scalar> a, const Tensor<Scalar>& b) {
  return b + a;
}

// Primal:  y = a + b
// Adjoint: adj[a] += sum adj[y], adj[b] += adj[y]
// Saves:   nothing
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(operator+)
auto number_add_vjp(detail::BareNumber<Scalar> a, const Tensor<Scalar>& b) {
  return detail::tensor_vjp(a + b, [](const Tensor<Scalar>& dy, Wanted<2> wanted) {
    return std::tuple(wanted[0] ? detail::sum_all(dy) : Scalar{}, dy);
  });
}

// Tangent: da + db
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(operator+)
auto number_add_jvp(detail::BareNumber<Scalar> a, const Tensor<Scalar>& b,
                    detail::BareNumber<Scalar> da, const Tensor<Scalar>& db,
                    Wanted<2> moving = Wanted<2>::all()) {
  const auto y = a + b;
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{
      y, moving[0] ? detail::conformed(db, y) + da : db};
}

/// Shapes:   a [...], b [...], broadcast together
/// Throws:   UsageError where they do not broadcast, or lie on different devices.
/// Gradient: dy to a and -dy to b, summed over what was repeated.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> operator-(const Tensor<Scalar>& a, const Tensor<Scalar>& b) {
  return Tensor<Scalar>(detail::binary(ops::Op::sub, a.array(), b.array(), {}));
}

// Primal:  y = a - b
// Adjoint: adj[a] += adj[y], adj[b] -= adj[y], each summed over repetitions
// Saves:   nothing
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(operator-)
auto sub_vjp(const Tensor<Scalar>& a, const Tensor<Scalar>& b) {
  return detail::tensor_vjp(a - b, [shape_a = a.shape(), shape_b = b.shape()](
                                       const Tensor<Scalar>& dy, Wanted<2> wanted) {
    return std::tuple(detail::reduced(wanted[0], dy, shape_a),
                      wanted[1] ? -sum_to(dy, shape_b) : Tensor<Scalar>());
  });
}

// Tangent: da - db
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(operator-)
auto sub_jvp(const Tensor<Scalar>& a, const Tensor<Scalar>& b, const Tensor<Scalar>& da,
             const Tensor<Scalar>& db) {
  const auto y = a - b;
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{
      y, detail::sum_of_terms(da, db.is_symbolic_zero() ? db : -db, y.shape())};
}

/// Shapes:   a [...] -> [...]
/// Gradient: dy to the tensor, minus its sum to the number.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> operator-(const Tensor<Scalar>& a, detail::BareNumber<Scalar> b) {
  return Tensor<Scalar>(detail::binary_right(ops::Op::sub, a.array(), detail::literal<Scalar>(b)));
}

// Primal:  y = a - b
// Adjoint: adj[a] += adj[y], adj[b] -= sum adj[y]
// Saves:   nothing
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(operator-)
auto sub_number_vjp(const Tensor<Scalar>& a, detail::BareNumber<Scalar> b) {
  return detail::tensor_vjp(a - b, [](const Tensor<Scalar>& dy, Wanted<2> wanted) {
    return std::tuple(dy, wanted[1] ? -detail::sum_all(dy) : Scalar{});
  });
}

// Tangent: da - db
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(operator-)
auto sub_number_jvp(const Tensor<Scalar>& a, detail::BareNumber<Scalar> b, const Tensor<Scalar>& da,
                    detail::BareNumber<Scalar> db, Wanted<2> moving = Wanted<2>::all()) {
  const auto y = a - b;
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{
      y, moving[1] ? detail::conformed(da, y) - db : da};
}

/// Shapes:   b [...] -> [...]
/// Gradient: minus dy to the tensor, its sum to the number.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> operator-(detail::BareNumber<Scalar> a, const Tensor<Scalar>& b) {
  return Tensor<Scalar>(detail::binary_left(ops::Op::sub, detail::literal<Scalar>(a), b.array()));
}

// Primal:  y = a - b
// Adjoint: adj[a] += sum adj[y], adj[b] -= adj[y]
// Saves:   nothing
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(operator-)
auto number_sub_vjp(detail::BareNumber<Scalar> a, const Tensor<Scalar>& b) {
  return detail::tensor_vjp(a - b, [](const Tensor<Scalar>& dy, Wanted<2> wanted) {
    return std::tuple(wanted[0] ? detail::sum_all(dy) : Scalar{},
                      wanted[1] ? -dy : Tensor<Scalar>());
  });
}

// Tangent: da - db
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(operator-)
auto number_sub_jvp(detail::BareNumber<Scalar> a, const Tensor<Scalar>& b,
                    detail::BareNumber<Scalar> da, const Tensor<Scalar>& db,
                    Wanted<2> moving = Wanted<2>::all()) {
  const auto y = a - b;
  const auto towards_b = db.is_symbolic_zero() ? db : -db;
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{
      y, moving[0] ? da + detail::conformed(towards_b, y) : towards_b};
}

/// Element by element.
///
/// Shapes:   a [...], b [...], broadcast together
/// Throws:   UsageError where they do not broadcast, or lie on different devices.
/// Gradient: dy b to a and dy a to b, summed over what was repeated.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> operator*(const Tensor<Scalar>& a, const Tensor<Scalar>& b) {
  return Tensor<Scalar>(detail::binary(ops::Op::mul, a.array(), b.array(), {}));
}

// Primal:  y = a b
// Adjoint: adj[a] += conj(b) adj[y], adj[b] += conj(a) adj[y], each summed over repetitions
// Saves:   a, b
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(operator*)
auto mul_vjp(const Tensor<Scalar>& a, const Tensor<Scalar>& b) {
  return detail::tensor_vjp(a * b, [a, b](const Tensor<Scalar>& dy, Wanted<2> wanted) {
    using detail::conjugated;
    using detail::cotangent_product;
    return std::tuple(
        wanted[0] ? sum_to(cotangent_product(dy, conjugated(b)), a.shape()) : Tensor<Scalar>(),
        wanted[1] ? sum_to(cotangent_product(dy, conjugated(a)), b.shape()) : Tensor<Scalar>());
  });
}

// Tangent: da b + a db
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(operator*)
auto mul_jvp(const Tensor<Scalar>& a, const Tensor<Scalar>& b, const Tensor<Scalar>& da,
             const Tensor<Scalar>& db) {
  const auto y = a * b;
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{
      y, detail::sum_of_terms(da.is_symbolic_zero() ? da : da * b,
                              db.is_symbolic_zero() ? db : a * db, y.shape())};
}

/// Shapes:   a [...] -> [...]
/// Gradient: dy b to the tensor, the sum of dy a to the number.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> operator*(const Tensor<Scalar>& a, detail::BareNumber<Scalar> b) {
  return Tensor<Scalar>(detail::binary_right(ops::Op::mul, a.array(), detail::literal<Scalar>(b)));
}

// Primal:  y = a b
// Adjoint: adj[a] += b adj[y], adj[b] += sum a adj[y]
// Saves:   a, b
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(operator*)
auto mul_number_vjp(const Tensor<Scalar>& a, detail::BareNumber<Scalar> b) {
  return detail::tensor_vjp(a * b, [a, b](const Tensor<Scalar>& dy, Wanted<2> wanted) {
    return std::tuple(wanted[0] ? dy * detail::conjugated(b) : Tensor<Scalar>(),
                      wanted[1]
                          ? detail::sum_all(detail::cotangent_product(dy, detail::conjugated(a)))
                          : Scalar{});
  });
}

// Tangent: da b + a db
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(operator*)
auto mul_number_jvp(const Tensor<Scalar>& a, detail::BareNumber<Scalar> b, const Tensor<Scalar>& da,
                    detail::BareNumber<Scalar> db, Wanted<2> moving = Wanted<2>::all()) {
  const auto y = a * b;
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{
      y, detail::sum_of_terms(da.is_symbolic_zero() ? da : da * b,
                              moving[1] ? a * db : Tensor<Scalar>(), y.shape())};
}

/// Shapes:   b [...] -> [...]
/// Gradient: dy a to the tensor, the sum of dy b to the number.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> operator*(detail::BareNumber<Scalar> a, const Tensor<Scalar>& b) {
  return b * a;
}

// Primal:  y = a b
// Adjoint: adj[a] += sum b adj[y], adj[b] += a adj[y]
// Saves:   a, b
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(operator*)
auto number_mul_vjp(detail::BareNumber<Scalar> a, const Tensor<Scalar>& b) {
  return detail::tensor_vjp(a * b, [a, b](const Tensor<Scalar>& dy, Wanted<2> wanted) {
    return std::tuple(wanted[0]
                          ? detail::sum_all(detail::cotangent_product(dy, detail::conjugated(b)))
                          : Scalar{},
                      wanted[1] ? dy * detail::conjugated(a) : Tensor<Scalar>());
  });
}

// Tangent: da b + a db
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(operator*)
auto number_mul_jvp(detail::BareNumber<Scalar> a, const Tensor<Scalar>& b,
                    detail::BareNumber<Scalar> da, const Tensor<Scalar>& db,
                    Wanted<2> moving = Wanted<2>::all()) {
  const auto y = a * b;
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{
      y, detail::sum_of_terms(db.is_symbolic_zero() ? db : db * a,
                              moving[0] ? b * da : Tensor<Scalar>(), y.shape())};
}

/// Element by element.
///
/// Shapes:   a [...], b [...], broadcast together
/// Throws:   UsageError where they do not broadcast, lie on different devices, or an integer
///           divisor is zero.
/// Gradient: dy / b to a and -dy y / b to b, summed over what was repeated.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> operator/(const Tensor<Scalar>& a, const Tensor<Scalar>& b) {
  return Tensor<Scalar>(detail::binary(ops::Op::div, a.array(), b.array(), {}));
}

// Primal:  y = a / b
// Adjoint: adj[a] += adj[y] / b, adj[b] -= y adj[y] / b, each summed over repetitions
// Saves:   b, y
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(operator/)
auto div_vjp(const Tensor<Scalar>& a, const Tensor<Scalar>& b) {
  auto y = a / b;
  return detail::tensor_vjp(
      y, [shape_a = a.shape(), b, y](const Tensor<Scalar>& dy, Wanted<2> wanted) {
        const auto share = detail::cotangent_quotient(dy, detail::conjugated(b));
        return std::tuple(
            detail::reduced(wanted[0], share, shape_a),
            wanted[1] ? -sum_to(detail::cotangent_product(share, detail::conjugated(y)), b.shape())
                      : Tensor<Scalar>());
      });
}

// Tangent: (da - y db) / b
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(operator/)
auto div_jvp(const Tensor<Scalar>& a, const Tensor<Scalar>& b, const Tensor<Scalar>& da,
             const Tensor<Scalar>& db) {
  const auto y = a / b;
  const auto change = detail::sum_of_terms(da, db.is_symbolic_zero() ? db : -(y * db), y.shape());
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{
      y, change.is_symbolic_zero() ? change : change / b};
}

/// Shapes:   a [...] -> [...]
/// Throws:   UsageError where an integer divisor is zero.
/// Gradient: dy / b to the tensor, minus the sum of dy y / b to the number.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> operator/(const Tensor<Scalar>& a, detail::BareNumber<Scalar> b) {
  return Tensor<Scalar>(detail::binary_right(ops::Op::div, a.array(), detail::literal<Scalar>(b)));
}

// Primal:  y = a / b
// Adjoint: adj[a] += adj[y] / b, adj[b] -= sum y adj[y] / b
// Saves:   b, y
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(operator/)
auto div_number_vjp(const Tensor<Scalar>& a, detail::BareNumber<Scalar> b) {
  auto y = a / b;
  return detail::tensor_vjp(y, [b, y](const Tensor<Scalar>& dy, Wanted<2> wanted) {
    return std::tuple(wanted[0] ? dy / detail::conjugated(b) : Tensor<Scalar>(),
                      wanted[1]
                          ? -detail::sum_all(detail::cotangent_product(dy, detail::conjugated(y))) /
                                detail::conjugated(b)
                          : Scalar{});
  });
}

// Tangent: (da - y db) / b
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(operator/)
auto div_number_jvp(const Tensor<Scalar>& a, detail::BareNumber<Scalar> b, const Tensor<Scalar>& da,
                    detail::BareNumber<Scalar> db, Wanted<2> moving = Wanted<2>::all()) {
  const auto y = a / b;
  const auto change = detail::sum_of_terms(da, moving[1] ? -(y * db) : Tensor<Scalar>(), y.shape());
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{
      y, change.is_symbolic_zero() ? change : change / b};
}

/// Shapes:   b [...] -> [...]
/// Throws:   UsageError where an integer divisor is zero.
/// Gradient: -dy y / b to the tensor, the sum of dy / b to the number.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> operator/(detail::BareNumber<Scalar> a, const Tensor<Scalar>& b) {
  return Tensor<Scalar>(detail::binary_left(ops::Op::div, detail::literal<Scalar>(a), b.array()));
}

// Primal:  y = a / b
// Adjoint: adj[a] += sum adj[y] / b, adj[b] -= y adj[y] / b
// Saves:   b, y
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(operator/)
auto number_div_vjp(detail::BareNumber<Scalar> a, const Tensor<Scalar>& b) {
  auto y = a / b;
  return detail::tensor_vjp(y, [b, y](const Tensor<Scalar>& dy, Wanted<2> wanted) {
    const auto share = detail::cotangent_quotient(dy, detail::conjugated(b));
    return std::tuple(
        wanted[0] ? detail::sum_all(share) : Scalar{},
        wanted[1] ? -detail::cotangent_product(share, detail::conjugated(y)) : Tensor<Scalar>());
  });
}

// Tangent: (da - y db) / b
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(operator/)
auto number_div_jvp(detail::BareNumber<Scalar> a, const Tensor<Scalar>& b,
                    detail::BareNumber<Scalar> da, const Tensor<Scalar>& db,
                    Wanted<2> moving = Wanted<2>::all()) {
  const auto y = a / b;
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{
      y, detail::sum_of_terms(moving[0] ? da / b : Tensor<Scalar>(),
                              db.is_symbolic_zero() ? db : -(y * db) / b, y.shape())};
}

}  // namespace ddx
