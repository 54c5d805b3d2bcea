/// \file
/// Reductions: sum, product, mean, extremes and their positions, log of a sum of exponentials, all,
/// any.

#pragma once

#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/cumulative.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/predicate.h"
#include "ddx/tensor/tensor.h"

#include <concepts>
#include <cstdint>
#include <source_location>
#include <utility>

namespace ddx {

namespace detail {

/// A cotangent of a reduction's result, repeated to the shape of its operand.
template <TensorScalar Scalar>
Tensor<Scalar> repeated(const Tensor<Scalar>& dy, const Shape& shape,
                        const ReductionOptions& options) {
  return Tensor<Scalar>(broadcast_to(restore_axes(dy.array(), shape, options), shape, {}));
}

/// A sum or a product, of integers as such of 64 bits.
template <TensorScalar Scalar>
Tensor<SumScalar<Scalar>> wide_reduce(ops::Op op, const Tensor<Scalar>& x,
                                      const ReductionOptions& options, std::source_location where) {
  using Sum = SumScalar<Scalar>;
  if constexpr (std::same_as<Scalar, Sum>) {
    return Tensor<Sum>(reduce(op, x.array(), options, where));
  } else {
    return Tensor<Sum>(reduce(op, cast(x.array(), dtype_of<Sum>), options, where));
  }
}

}  // namespace detail

/// The sum over all axes, or over some: `sum(x, {.axes = {0, -1}, .keep_dims = true})`.
///
/// DTypes:   sums of integers have 64 bits, as in NumPy: i64 of signed ones and of truth values
///           (how many are true), u64 of unsigned ones. Other sums have the type of the elements.
/// Shapes:   x [...] -> without the reduced axes, or with extent 1 there
/// Returns:  0 over nothing.
/// Throws:   UsageError where an axis does not exist or is named twice.
/// Gradient: the cotangent repeated.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<SumScalar<Scalar>> sum(
    const Tensor<Scalar>& x, const ReductionOptions& options = {},
    std::source_location where = std::source_location::current()) {
  return detail::wide_reduce(ops::Op::sum, x, options, where);
}

// Primal:  y = sum_i x_i
// Adjoint: adj[x_i] += adj[y]
// Saves:   nothing
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(sum)
auto sum_vjp(const Tensor<Scalar>& x, const ReductionOptions& options, std::source_location where) {
  return detail::tensor_vjp(sum(x, options, where),
                            [shape = x.shape(), options](const Tensor<Scalar>& dy) {
                              return detail::repeated(dy, shape, options);
                            });
}

// Tangent: summed likewise
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(sum)
auto sum_jvp(const Tensor<Scalar>& x, const ReductionOptions& options, std::source_location where,
             const Tensor<Scalar>& d_x) {
  return detail::tensor_jvp(sum(x, options, where), d_x,
                            [&](const Tensor<Scalar>& d) { return sum(d, options, where); });
}

namespace detail {

// Primal:  y_i = dy, repeated
// Adjoint: adj[dy] += sum_i adj[y_i]
// Saves:   nothing
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(repeated)
auto repeated_vjp(const Tensor<Scalar>& dy, const Shape& shape, const ReductionOptions& options) {
  return tensor_vjp(repeated(dy, shape, options),
                    [options](const Tensor<Scalar>& d) { return ddx::sum(d, options); });
}

// Tangent: repeated likewise
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(repeated)
auto repeated_jvp(const Tensor<Scalar>& dy, const Shape& shape, const ReductionOptions& options,
                  const Tensor<Scalar>& d_dy) {
  return tensor_jvp(repeated(dy, shape, options), d_dy,
                    [&](const Tensor<Scalar>& d) { return repeated(d, shape, options); });
}

}  // namespace detail

/// The mean over all axes, or over some: `mean(x, {.axes = {0}})`.
///
/// Shapes:   x [...] -> without the reduced axes, or with extent 1 there
/// Returns:  NaN over nothing.
/// Throws:   UsageError where an axis does not exist or is named twice.
/// Gradient: the cotangent repeated, divided by the number of elements of each mean.
template <DifferentiableScalar Scalar>
[[nodiscard]] Tensor<Scalar> mean(const Tensor<Scalar>& x, const ReductionOptions& options = {},
                                  std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::reduce(ops::Op::mean, x.array(), options, where));
}

// Primal:  y = (sum_i x_i) / n
// Adjoint: adj[x_i] += adj[y] / n
// Saves:   nothing
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(mean)
auto mean_vjp(const Tensor<Scalar>& x, const ReductionOptions& options,
              std::source_location where) {
  auto y = mean(x, options, where);
  const Shape reduced = y.shape();
  return detail::tensor_vjp(
      std::move(y), [shape = x.shape(), reduced, options](const Tensor<Scalar>& dy) {
        const auto share = detail::number<Scalar>(static_cast<double>(reduced.count()) /
                                                  static_cast<double>(shape.count()));
        return detail::repeated(dy * share, shape, options);
      });
}

// Tangent: the mean of the tangent
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(mean)
auto mean_jvp(const Tensor<Scalar>& x, const ReductionOptions& options, std::source_location where,
              const Tensor<Scalar>& d_x) {
  return detail::tensor_jvp(mean(x, options, where), d_x,
                            [&](const Tensor<Scalar>& d) { return mean(d, options, where); });
}

/// The largest element over all axes, or over some. A NaN wins.
///
/// Shapes:   x [...] -> without the reduced axes, or with extent 1 there
/// Throws:   UsageError where an axis does not exist or is named twice, or there is nothing to
///           choose from.
/// Gradient: the cotangent to the largest element, in equal parts where there are several.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> max(const Tensor<Scalar>& x, const ReductionOptions& options = {},
                                 std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::reduce(ops::Op::max, x.array(), options, where));
}

// Primal:  y = max_i x_i
// Adjoint: adj[x_i] += adj[y] / k where x_i = y, k such elements
// Saves:   x, y
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(max)
auto max_vjp(const Tensor<Scalar>& x, const ReductionOptions& options, std::source_location where) {
  auto y = max(x, options, where);
  return detail::tensor_vjp(y, [x, y, options](const Tensor<Scalar>& dy) {
    // In 16 bits the number of chosen elements may be infinite.
    using Wide = WideScalar<Scalar>;
    const auto chosen = cast<Wide>(equal(x, detail::repeated(y, x.shape(), options)));
    return cast<Scalar>(
        chosen * detail::repeated(detail::cotangent_quotient(cast<Wide>(dy), sum(chosen, options)),
                                  x.shape(), options));
  });
}

/// The smallest element over all axes, or over some. A NaN wins.
///
/// Shapes:   x [...] -> without the reduced axes, or with extent 1 there
/// Throws:   UsageError where an axis does not exist or is named twice, or there is nothing to
///           choose from.
/// Gradient: the cotangent to the smallest element, in equal parts where there are several.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> min(const Tensor<Scalar>& x, const ReductionOptions& options = {},
                                 std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::reduce(ops::Op::min, x.array(), options, where));
}

// Primal:  y = min_i x_i
// Adjoint: adj[x_i] += adj[y] / k where x_i = y, k such elements
// Saves:   x, y
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(min)
auto min_vjp(const Tensor<Scalar>& x, const ReductionOptions& options, std::source_location where) {
  auto y = min(x, options, where);
  return detail::tensor_vjp(y, [x, y, options](const Tensor<Scalar>& dy) {
    // In 16 bits the number of chosen elements may be infinite.
    using Wide = WideScalar<Scalar>;
    const auto chosen = cast<Wide>(equal(x, detail::repeated(y, x.shape(), options)));
    return cast<Scalar>(
        chosen * detail::repeated(detail::cotangent_quotient(cast<Wide>(dy), sum(chosen, options)),
                                  x.shape(), options));
  });
}

namespace detail {

/// For each element, the product of the others of its reduction.
template <FloatingScalar Scalar>
Tensor<Scalar> products_of_others(const Tensor<Scalar>& x, const ReductionOptions& options) {
  const ReducedLast last = reduced_last(x.shape(), options);
  const auto moved = transpose(x, last.order);
  const auto rows = reshape(moved, last.shape);
  const auto others = cumulative_product(rows, {.exclusive = true}) *
                      cumulative_product(rows, {.exclusive = true, .reverse = true});
  return transpose(reshape(others, moved.shape()), inverse_order(last.order));
}

}  // namespace detail

/// The product over all axes, or over some: `product(x, {.axes = {0}})`.
///
/// DTypes:   products of integers have 64 bits, as those of sum.
/// Shapes:   x [...] -> without the reduced axes, or with extent 1 there
/// Returns:  1 over nothing.
/// Throws:   UsageError where an axis does not exist or is named twice.
/// Gradient: dy times the product of the other factors; right where factors are 0.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<SumScalar<Scalar>> product(
    const Tensor<Scalar>& x, const ReductionOptions& options = {},
    std::source_location where = std::source_location::current()) {
  return detail::wide_reduce(ops::Op::product, x, options, where);
}

// Primal:  y = prod_i x_i
// Adjoint: adj[x_i] += prod_(k!=i) x_k adj[y]: no division, so that factors may be 0
// Saves:   x
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(product)
auto product_vjp(const Tensor<Scalar>& x, const ReductionOptions& options,
                 std::source_location where) {
  return detail::tensor_vjp(product(x, options, where), [x, options](const Tensor<Scalar>& dy) {
    // Products of some factors may leave the range of 16 bits where those of all do not.
    using Wide = WideScalar<Scalar>;
    return cast<Scalar>(
        detail::cotangent_product(detail::repeated(cast<Wide>(dy), x.shape(), options),
                                  detail::products_of_others(cast<Wide>(x), options)));
  });
}

namespace detail {

/// e^x divided by its sum, by way of the distances to the largest element: the logarithm of the sum
/// has lost the digits that they need. 0 where all elements are minus infinity.
template <FloatingScalar Scalar>
Tensor<Scalar> shares_of_exp(const Tensor<Scalar>& x, const ReductionOptions& options) {
  if (x.count() == 0) {
    return x;
  }
  const auto largest = max(x, options);
  const auto top = select(is_finite(largest), largest, Scalar{0});
  const auto powers = exp(x - repeated(top, x.shape(), options));
  const auto total = sum(powers, options);
  return powers / repeated(select(equal(total, Scalar{0}), Scalar{1}, total), x.shape(), options);
}

}  // namespace detail

/// log of the sum of e^x over all axes, or over some, without overflow.
///
/// Shapes:   x [...] -> without the reduced axes, or with extent 1 there
/// Returns:  Minus infinity over nothing.
/// Throws:   UsageError where an axis does not exist or is named twice.
/// Gradient: dy e^(x - y), which is softmax(x).
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> log_sum_exp(
    const Tensor<Scalar>& x, const ReductionOptions& options = {},
    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::reduce(ops::Op::log_sum_exp, x.array(), options, where));
}

// Primal:  y = log sum_i e^x_i
// Adjoint: adj[x_i] += e^(x_i - y) adj[y]
// Saves:   x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(log_sum_exp)
auto log_sum_exp_vjp(const Tensor<Scalar>& x, const ReductionOptions& options,
                     std::source_location where) {
  return detail::tensor_vjp(log_sum_exp(x, options, where), [x, options](const Tensor<Scalar>& dy) {
    using Wide = WideScalar<Scalar>;
    return cast<Scalar>(
        detail::cotangent_product(detail::repeated(cast<Wide>(dy), x.shape(), options),
                                  detail::shares_of_exp(cast<Wide>(x), options)));
  });
}

/// Whether all are true, over all axes or over some: `all(less(x, 1)).item()`.
///
/// Shapes:  x [...] -> without the reduced axes, or with extent 1 there
/// Returns: true over nothing.
/// Throws:  UsageError where an axis does not exist or is named twice.
[[nodiscard]] inline Tensor<bool> all(
    const Tensor<bool>& x, const ReductionOptions& options = {},
    std::source_location where = std::source_location::current()) {
  return Tensor<bool>(detail::reduce(ops::Op::all, x.array(), options, where));
}

/// Whether at least one is true, over all axes or over some.
///
/// Shapes:  x [...] -> without the reduced axes, or with extent 1 there
/// Returns: false over nothing.
/// Throws:  UsageError where an axis does not exist or is named twice.
[[nodiscard]] inline Tensor<bool> any(
    const Tensor<bool>& x, const ReductionOptions& options = {},
    std::source_location where = std::source_location::current()) {
  return Tensor<bool>(detail::reduce(ops::Op::any, x.array(), options, where));
}

/// The position of the largest element along an axis; the first of equal ones.
///
/// Shapes:  x [...] -> without the axis
/// Throws:  UsageError where the axis does not exist, is empty, or has more elements than indices
///          of 32 bits count.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<std::int32_t> argmax(
    const Tensor<Scalar>& x, std::int64_t axis = -1,
    std::source_location where = std::source_location::current()) {
  return Tensor<std::int32_t>(detail::arg_reduce(ops::Op::argmax, x.array(), axis, where));
}

/// The position of the smallest element along an axis; the first of equal ones.
///
/// Shapes:  x [...] -> without the axis
/// Throws:  UsageError where the axis does not exist, is empty, or has more elements than indices
///          of 32 bits count.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<std::int32_t> argmin(
    const Tensor<Scalar>& x, std::int64_t axis = -1,
    std::source_location where = std::source_location::current()) {
  return Tensor<std::int32_t>(detail::arg_reduce(ops::Op::argmin, x.array(), axis, where));
}

}  // namespace ddx
