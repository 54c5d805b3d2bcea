/// \file
/// Norms.

#pragma once

#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/power.h"
#include "ddx/tensor/predicate.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <source_location>

namespace ddx {

namespace detail {

/// The norm of elements scaled by their largest absolute value, which neither overflow nor vanish
/// when they are squared.
template <FloatingScalar Scalar>
Tensor<Scalar> scaled_norm(const Tensor<Scalar>& x, double order, const ReductionOptions& axes,
                           std::source_location where) {
  const auto sizes = abs(x);
  const auto largest = max(sizes, axes, where);
  const auto usable = logical_and(greater(largest, Scalar{0}), is_finite(largest));
  const auto scale = select(usable, largest, Scalar{1});
  const auto scaled = sizes / repeated(scale, x.shape(), axes);
  if (order == 2) {
    return scale * sqrt(sum(square(scaled), axes));
  }
  const auto power = static_cast<Scalar>(order);
  return scale * pow(sum(pow(scaled, power), axes), Scalar{1} / power);
}

/// The factor of the cotangent in the gradient of a norm.
template <FloatingScalar Scalar>
Tensor<Scalar> norm_slopes(const Tensor<Scalar>& x, const Tensor<Scalar>& y, double order,
                           const ReductionOptions& axes) {
  if (order == 1) {
    return sign(x);
  }
  const auto sizes = abs(x);
  const auto norms = repeated(y, x.shape(), axes);
  if (std::isinf(order)) {
    const auto chosen = cast<Scalar>(equal(sizes, norms));
    return sign(x) * chosen / repeated(sum(chosen, axes), x.shape(), axes);
  }
  const auto shares = select(equal(norms, Scalar{0}), Tensor<Scalar>(), sizes / norms);
  if (order == 2) {
    return sign(x) * shares;
  }
  return sign(x) * pow(shares, static_cast<Scalar>(order - 1));
}

/// The norm of elements that are wide enough for their powers.
template <FloatingScalar Wide>
Tensor<Wide> wide_norm(const Tensor<Wide>& x, double order, const ReductionOptions& axes,
                       std::source_location where) {
  if (order == 1 || x.count() == 0) {
    return sum(abs(x), axes, where);
  }
  return std::isinf(order) ? max(abs(x), axes, where) : scaled_norm(x, order, axes, where);
}

}  // namespace detail

/// (sum |x|^p)^(1/p) over all axes, or over some: `norm(x, {.order = 1, .axes = {-1}})`. The order
/// p is 2 where none is given, and may be infinity: the largest |x|. Finite norms do not overflow
/// on the way.
///
/// DTypes:   floating; f16 and bf16 are computed in f32 and rounded once, also in the gradient.
/// Shapes:   x [...] -> without the reduced axes, or with extent 1 there
/// Returns:  0 over nothing.
/// Throws:   UsageError where an axis does not exist or is named twice, or the order is below 1.
/// Gradient: sign(x) (|x| / y)^(p-1) dy, 0 where y is 0; for the order infinity to the largest
///           elements in equal parts.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> norm(const Tensor<Scalar>& x, const NormOptions& options = {},
                                  std::source_location where = std::source_location::current()) {
  detail::check_norm_order(options.order, where);
  const ReductionOptions axes{.axes = options.axes, .keep_dims = options.keep_dims};
  return cast<Scalar>(detail::wide_norm(cast<WideScalar<Scalar>>(x), options.order, axes, where));
}

// Primal:  y = (sum_i |x_i|^p)^(1/p)
// Adjoint: adj[x_i] += sign(x_i) (|x_i| / y)^(p-1) adj[y]
// Saves:   x, y
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(norm)
auto norm_vjp(const Tensor<Scalar>& x, const NormOptions& options, std::source_location where) {
  const ReductionOptions axes{.axes = options.axes, .keep_dims = options.keep_dims};
  using Wide = WideScalar<Scalar>;
  detail::check_norm_order(options.order, where);
  const auto y = detail::wide_norm(cast<Wide>(x), options.order, axes, where);
  return detail::tensor_vjp(
      cast<Scalar>(y), [x, y, order = options.order, axes](const Tensor<Scalar>& dy) {
        return cast<Scalar>(
            detail::cotangent_product(detail::repeated(cast<Wide>(dy), x.shape(), axes),
                                      detail::norm_slopes(cast<Wide>(x), y, order, axes)));
      });
}

}  // namespace ddx
