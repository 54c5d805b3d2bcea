/// \file
/// Updates of a tensor. They write into its storage if it is not shared, otherwise into a new one.
///
/// Each compound operator assigns the value of a function that takes its left operand by value, so
/// that its derivative is the function's.

#pragma once

#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/detail/bare_number.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <source_location>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ddx {

/// `a + scale * b`, in one pass, and in place when `a` is moved here and unshared: `w =
/// add_scaled(std::move(w), -rate, g)`.
///
/// Shapes:   a [...], b [...], broadcast together
/// Throws:   UsageError where they do not broadcast, or lie on different devices.
/// Gradient: dy to a, scale dy to b, sum of dy b to scale.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> add_scaled(
    Tensor<Scalar> a, std::type_identity_t<Scalar> scale, const Tensor<Scalar>& b,
    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(
      detail::add_scaled(std::move(a).array(), static_cast<double>(scale), b.array(), where));
}

// Primal:  y = a + s b
// Adjoint: adj[a] += adj[y], adj[s] += sum b adj[y], adj[b] += s adj[y]
// Saves:   b, s
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(add_scaled)
auto add_scaled_vjp(Tensor<Scalar> a, std::type_identity_t<Scalar> scale, const Tensor<Scalar>& b,
                    std::source_location where) {
  const Shape shape_a = a.shape();
  return detail::tensor_vjp(
      add_scaled(std::move(a), scale, b, where),
      [shape_a, scale, b](const Tensor<Scalar>& dy, Wanted<3> wanted) {
        return std::tuple(detail::reduced(wanted[0], dy, shape_a),
                          wanted[1] ? detail::sum_all(detail::cotangent_product(dy, b)) : Scalar{},
                          wanted[2] ? sum_to(dy * scale, b.shape()) : Tensor<Scalar>());
      });
}

namespace detail {

/// Whether `a` can be moved into an update without loss: the update writes into its storage and
/// allocates nothing, so it does not throw for lack of memory. Of a symbolic zero nothing is lost.
template <TensorScalar Scalar>
bool can_be_moved(const Tensor<Scalar>& a) {
  return a.is_symbolic_zero() || a.array().unshared();
}

/// Whether `a` can be moved into an update by `b`: the update cannot fail, keeps the shape, and
/// reads no storage that it moves away.
template <TensorScalar Scalar>
bool fits_in_place(const Tensor<Scalar>& a, const Tensor<Scalar>& b) {
  return &a != &b && a.array().unshared() && broadcasts_to(b.shape(), a.shape()) &&
         (b.is_symbolic_zero() || a.device() == b.device());
}

/// a + b, in place where possible. The others likewise.
template <TensorScalar Scalar>
Tensor<Scalar> sum_into(Tensor<Scalar> a, const Tensor<Scalar>& b) {
  return Tensor<Scalar>(binary(ops::Op::add, std::move(a).array(), b.array(), {}));
}
template <TensorScalar Scalar>
Tensor<Scalar> difference_into(Tensor<Scalar> a, const Tensor<Scalar>& b) {
  return Tensor<Scalar>(binary(ops::Op::sub, std::move(a).array(), b.array(), {}));
}
template <TensorScalar Scalar>
Tensor<Scalar> product_into(Tensor<Scalar> a, const Tensor<Scalar>& b) {
  return Tensor<Scalar>(binary(ops::Op::mul, std::move(a).array(), b.array(), {}));
}

/// As above, with a bare number.
template <TensorScalar Scalar>
Tensor<Scalar> sum_into(Tensor<Scalar> a, detail::BareNumber<Scalar> b) {
  return Tensor<Scalar>(binary_right_into(ops::Op::add, std::move(a).array(), literal<Scalar>(b)));
}
template <TensorScalar Scalar>
Tensor<Scalar> difference_into(Tensor<Scalar> a, detail::BareNumber<Scalar> b) {
  return Tensor<Scalar>(binary_right_into(ops::Op::sub, std::move(a).array(), literal<Scalar>(b)));
}
template <TensorScalar Scalar>
Tensor<Scalar> product_into(Tensor<Scalar> a, detail::BareNumber<Scalar> b) {
  return Tensor<Scalar>(binary_right_into(ops::Op::mul, std::move(a).array(), literal<Scalar>(b)));
}

/// Quotients of floating elements; integer ones may fail when it is too late.
template <FloatingScalar Scalar>
Tensor<Scalar> quotient_into(Tensor<Scalar> a, const Tensor<Scalar>& b) {
  return Tensor<Scalar>(binary(ops::Op::div, std::move(a).array(), b.array(), {}));
}
template <FloatingScalar Scalar>
Tensor<Scalar> quotient_into(Tensor<Scalar> a, detail::BareNumber<Scalar> b) {
  return Tensor<Scalar>(binary_right_into(ops::Op::div, std::move(a).array(), literal<Scalar>(b)));
}

template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(sum_into)
auto sum_into_vjp(Tensor<Scalar> a, const Tensor<Scalar>& b) {
  return add_vjp(a, b);
}
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(difference_into)
auto difference_into_vjp(Tensor<Scalar> a, const Tensor<Scalar>& b) {
  return sub_vjp(a, b);
}
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(product_into)
auto product_into_vjp(Tensor<Scalar> a, const Tensor<Scalar>& b) {
  return mul_vjp(a, b);
}
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(sum_into)
auto sum_number_into_vjp(Tensor<Scalar> a, detail::BareNumber<Scalar> b) {
  return add_number_vjp(a, b);
}
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(difference_into)
auto difference_number_into_vjp(Tensor<Scalar> a, detail::BareNumber<Scalar> b) {
  return sub_number_vjp(a, b);
}
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(product_into)
auto product_number_into_vjp(Tensor<Scalar> a, detail::BareNumber<Scalar> b) {
  return mul_number_vjp(a, b);
}
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(quotient_into)
auto quotient_into_vjp(Tensor<Scalar> a, const Tensor<Scalar>& b) {
  return div_vjp(a, b);
}
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(quotient_into)
auto quotient_number_into_vjp(Tensor<Scalar> a, detail::BareNumber<Scalar> b) {
  return div_number_vjp(a, b);
}

}  // namespace detail

/// Shapes: a [...], b [...], broadcast together
/// Throws: UsageError as for `a + b`; `a` is then unchanged.
template <TensorScalar Scalar>
Tensor<Scalar>& operator+=(Tensor<Scalar>& a, const Tensor<Scalar>& b) {
  if (detail::fits_in_place(a, b)) {
    a = detail::sum_into(std::move(a), b);
  } else {
    a = a + b;
  }
  return a;
}

/// Shapes: a [...], b [...], broadcast together
/// Throws: UsageError as for `a - b`; `a` is then unchanged.
template <TensorScalar Scalar>
Tensor<Scalar>& operator-=(Tensor<Scalar>& a, const Tensor<Scalar>& b) {
  if (detail::fits_in_place(a, b)) {
    a = detail::difference_into(std::move(a), b);
  } else {
    a = a - b;
  }
  return a;
}

/// Shapes: a [...], b [...], broadcast together
/// Throws: UsageError as for `a * b`; `a` is then unchanged.
template <TensorScalar Scalar>
Tensor<Scalar>& operator*=(Tensor<Scalar>& a, const Tensor<Scalar>& b) {
  if (detail::fits_in_place(a, b)) {
    a = detail::product_into(std::move(a), b);
  } else {
    a = a * b;
  }
  return a;
}

/// Shapes: a [...], b [...], broadcast together
/// Throws: UsageError as for `a / b`; `a` is then unchanged.
template <TensorScalar Scalar>
Tensor<Scalar>& operator/=(Tensor<Scalar>& a, const Tensor<Scalar>& b) {
  if constexpr (FloatingScalar<Scalar>) {
    if (detail::fits_in_place(a, b)) {
      a = detail::quotient_into(std::move(a), b);
    } else {
      a = a / b;
    }
  } else {
    a = a / b;
  }
  return a;
}

/// Shapes: a [...] -> [...]
template <TensorScalar Scalar>
Tensor<Scalar>& operator+=(Tensor<Scalar>& a, detail::BareNumber<Scalar> b) {
  if (detail::can_be_moved(a)) {
    a = detail::sum_into(std::move(a), b);
  } else {
    a = a + b;
  }
  return a;
}

/// Shapes: a [...] -> [...]
template <TensorScalar Scalar>
Tensor<Scalar>& operator-=(Tensor<Scalar>& a, detail::BareNumber<Scalar> b) {
  if (detail::can_be_moved(a)) {
    a = detail::difference_into(std::move(a), b);
  } else {
    a = a - b;
  }
  return a;
}

/// Shapes: a [...] -> [...]
template <TensorScalar Scalar>
Tensor<Scalar>& operator*=(Tensor<Scalar>& a, detail::BareNumber<Scalar> b) {
  if (detail::can_be_moved(a)) {
    a = detail::product_into(std::move(a), b);
  } else {
    a = a * b;
  }
  return a;
}

/// Shapes: a [...] -> [...]
/// Throws: UsageError as for `a / b`; `a` is then unchanged.
template <TensorScalar Scalar>
Tensor<Scalar>& operator/=(Tensor<Scalar>& a, detail::BareNumber<Scalar> b) {
  if constexpr (FloatingScalar<Scalar>) {
    if (detail::can_be_moved(a)) {
      a = detail::quotient_into(std::move(a), b);
    } else {
      a = a / b;
    }
  } else {
    a = a / b;
  }
  return a;
}

}  // namespace ddx
