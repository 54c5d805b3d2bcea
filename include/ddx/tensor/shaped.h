/// \file
/// Claims about the shapes of tensors.

#pragma once

#include "ddx/ad/attributes.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <source_location>

namespace ddx {

namespace detail {

/// A claim about a shape, as the argument of a template: "n 784".
template <std::size_t size>
struct ShapeClaim {
  char text[size];

  explicit(false) consteval ShapeClaim(const char (&given)[size]) : text() {
    for (std::size_t i = 0; i < size; ++i) {
      text[i] = given[i];
    }
  }
};

/// Throws: UsageError where the shape is not as claimed.
void check_claim(const Shape& shape, const char* claim, const std::source_location& where);

/// The tensor, whose shape is checked.
template <TensorScalar Scalar>
Tensor<Scalar> claimed(const Tensor<Scalar>& x, const char* claim, std::source_location where) {
  check_claim(x.shape(), claim, where);
  return x;
}

// Primal:  y = x
// Adjoint: adj[x] += adj[y]
// Saves:   nothing
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(claimed)
auto claimed_vjp(const Tensor<Scalar>& x, const char* claim, std::source_location where) {
  return tensor_vjp(claimed(x, claim, where), [](const Tensor<Scalar>& dy) { return dy; });
}

// Tangent: that of x
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(claimed)
auto claimed_jvp(const Tensor<Scalar>& x, const char* claim, std::source_location where,
                 const Tensor<Scalar>& d_x) {
  return tensor_jvp(claimed(x, claim, where), d_x, [](const Tensor<Scalar>& d) { return d; });
}

}  // namespace detail

/// The tensor itself, whose shape is as claimed: one word for each axis, separated by spaces. A
/// number is the extent; a name is any extent, the same one wherever it is in the claim; `_` is any
/// extent. The compiler relies on the claim (`-fddx-shapes`).
///
/// Shapes:   x [...] -> [...]
/// Throws:   UsageError where the shape is another.
/// Gradient: the cotangent.
/// Cost:     the check alone; storage is shared.
/// Example:
///   const auto scores = model(ddx::shaped<"n 784">(batch.images));
template <detail::ShapeClaim claim, TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> shaped(const Tensor<Scalar>& x,
                                    std::source_location where = std::source_location::current()) {
  return detail::claimed(x, claim.text, where);
}

}  // namespace ddx
