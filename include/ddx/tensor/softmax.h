/// \file
/// Probabilities from scores, and the loss that judges them.

#pragma once

#include "ddx/tensor/along_axis.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/axes.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>
#include <tuple>

namespace ddx {

/// e^x divided by its sum along an axis.
///
/// Shapes:   x [...] -> [...]
/// Throws:   UsageError where the axis does not exist.
/// Gradient: y (dy - sum of y dy).
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> softmax(const Tensor<Scalar>& x, std::int64_t axis = -1,
                                     std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::softmax(ops::Op::softmax, x.array(), axis, where));
}

namespace detail {

/// The product of the Jacobian of softmax, which is symmetric, with `dy`: y (dy - sum of y dy).
template <FloatingScalar Scalar>
Tensor<Scalar> softmax_product(const Tensor<Scalar>& y, const Tensor<Scalar>& dy,
                               std::int64_t axis) {
  return Tensor<Scalar>(softmax_gradient(ops::Op::softmax_gradient, y.array(), dy.array(), axis));
}

// Primal:  z_i = y_i (dy_i - sum_j y_j dy_j)
// Adjoint: adj[dy_i] += y_i (adj[z_i] - sum_j y_j adj[z_j]),
//          adj[y_i] += adj[z_i] (dy_i - sum_j y_j dy_j) - dy_i sum_j y_j adj[z_j]
// Saves:   y, dy
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(softmax_product)
auto softmax_product_vjp(const Tensor<Scalar>& y, const Tensor<Scalar>& dy, std::int64_t axis) {
  return tensor_vjp(
      softmax_product(y, dy, axis), [y, dy, axis](const Tensor<Scalar>& dz, Wanted<2> wanted) {
        Tensor<Scalar> to_y;
        if (wanted[0]) {
          const ReductionOptions along{.axes = {axis}, .keep_dims = true};
          to_y = dz * (dy - sum(y * dy, along)) - dy * sum(y * dz, along);
        }
        return std::tuple(to_y, wanted[1] ? softmax_product(y, dz, axis) : Tensor<Scalar>());
      });
}

}  // namespace detail

// Primal:  y_i = e^x_i / sum_j e^x_j
// Adjoint: adj[x_i] += y_i (adj[y_i] - sum_j y_j adj[y_j])
// Saves:   y
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(softmax)
auto softmax_vjp(const Tensor<Scalar>& x, std::int64_t axis, std::source_location where) {
  auto y = softmax(x, axis, where);
  return detail::tensor_vjp(
      y, [y, axis](const Tensor<Scalar>& dy) { return detail::softmax_product(y, dy, axis); });
}

// Tangent: the Jacobian is symmetric
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(softmax)
auto softmax_jvp(const Tensor<Scalar>& x, std::int64_t axis, std::source_location where,
                 const Tensor<Scalar>& dx) {
  auto y = softmax(x, axis, where);
  return detail::tensor_jvp(
      y, dx, [&](const Tensor<Scalar>& d) { return detail::softmax_product(y, d, axis); });
}

/// The logarithm of softmax, accurate for large scores.
///
/// Shapes:   x [...] -> [...]
/// Throws:   UsageError where the axis does not exist.
/// Gradient: dy - e^y (sum of dy).
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> log_softmax(
    const Tensor<Scalar>& x, std::int64_t axis = -1,
    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::softmax(ops::Op::log_softmax, x.array(), axis, where));
}

// Primal:  y_i = x_i - log sum_j e^x_j
// Adjoint: adj[x_i] += adj[y_i] - e^y_i sum_j adj[y_j]
// Saves:   y
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(log_softmax)
auto log_softmax_vjp(const Tensor<Scalar>& x, std::int64_t axis, std::source_location where) {
  auto y = log_softmax(x, axis, where);
  return detail::tensor_vjp(y, [y, axis](const Tensor<Scalar>& dy) {
    return Tensor<Scalar>(
        detail::softmax_gradient(ops::Op::log_softmax_gradient, y.array(), dy.array(), axis));
  });
}

// Tangent: dx_i - sum_j e^y_j dx_j
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(log_softmax)
auto log_softmax_jvp(const Tensor<Scalar>& x, std::int64_t axis, std::source_location where,
                     const Tensor<Scalar>& dx) {
  auto y = log_softmax(x, axis, where);
  return detail::tensor_jvp(y, dx, [&](const Tensor<Scalar>& d) {
    return d - sum(exp(y) * d, {.axes = {axis}, .keep_dims = true});
  });
}

/// The loss of each row: minus the logarithm of the probability that softmax gives to the row's
/// label.
///
/// Shapes:   logits [n, c], labels [n] -> [n]
/// Throws:   UsageError where the shapes do not fit, a label is not in [0, c), or devices differ.
/// Gradient: dy (softmax(logits) - one_hot(labels)) per row.
template <FloatingScalar Scalar, IndexScalar Index = std::int32_t>
[[nodiscard]] Tensor<Scalar> softmax_cross_entropy_per_row(
    const Tensor<Scalar>& logits, const Tensor<Index>& labels,
    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::softmax_cross_entropy(logits.array(), labels.array(), where));
}

// Primal:  y_r = log sum_j e^x_rj - x_rl, l = labels_r
// Adjoint: adj[x_rj] += (softmax(x_r)_j - [j = l]) adj[y_r]
// Saves:   x, labels
template <FloatingScalar Scalar, IndexScalar Index>
DDX_DERIVATIVE_OF(softmax_cross_entropy_per_row)
auto softmax_cross_entropy_per_row_vjp(const Tensor<Scalar>& logits, const Tensor<Index>& labels,
                                       std::source_location where) {
  return detail::tensor_vjp(softmax_cross_entropy_per_row(logits, labels, where),
                            [logits, labels, where](const Tensor<Scalar>& dy) {
                              const auto share = cast<WideScalar<Scalar>>(dy);
                              return Tensor<Scalar>(detail::softmax_cross_entropy_gradient(
                                  logits.array(), labels.array(), share.array(), where));
                            });
}

// Tangent: sum_j (softmax(x_r)_j - [j = l]) dx_rj
template <FloatingScalar Scalar, IndexScalar Index>
DDX_DERIVATIVE_OF(softmax_cross_entropy_per_row)
auto softmax_cross_entropy_per_row_jvp(const Tensor<Scalar>& logits, const Tensor<Index>& labels,
                                       std::source_location where, const Tensor<Scalar>& dx) {
  return detail::tensor_jvp(
      softmax_cross_entropy_per_row(logits, labels, where), dx, [&](const Tensor<Scalar>& d) {
        using Wide = WideScalar<Scalar>;
        const auto wide = cast<Wide>(d);
        const auto at_label = take_along_axis(wide, expand_dims(labels, 1), 1);
        const auto expected = softmax(cast<Wide>(logits)) * wide;
        return cast<Scalar>(sum(expected, {.axes = {1}}) - reshape(at_label, labels.shape()));
      });
}

/// The mean loss of a batch: minus the logarithm of the probability that softmax gives to each
/// row's label.
///
/// Shapes:   logits [n, c], labels [n] -> scalar
/// Throws:   UsageError where the shapes do not fit, a label is not in [0, c), or devices differ.
/// Gradient: dy / n (softmax(logits) - one_hot(labels)).
template <FloatingScalar Scalar, IndexScalar Index = std::int32_t>
[[nodiscard]] Tensor<Scalar> softmax_cross_entropy(
    const Tensor<Scalar>& logits, const Tensor<Index>& labels,
    std::source_location where = std::source_location::current()) {
  return mean(softmax_cross_entropy_per_row(logits, labels, where));
}

// Primal:  y = (sum_r loss_r) / n
// Adjoint: adj[x_rj] += (softmax(x_r)_j - [j = l]) adj[y] / n
// Saves:   x, labels
template <FloatingScalar Scalar, IndexScalar Index>
DDX_DERIVATIVE_OF(softmax_cross_entropy)
auto softmax_cross_entropy_vjp(const Tensor<Scalar>& logits, const Tensor<Index>& labels,
                               std::source_location where) {
  return detail::tensor_vjp(softmax_cross_entropy(logits, labels, where),
                            [logits, labels, where](const Tensor<Scalar>& dy) {
                              // The number of rows may be infinite, and a share 0, in 16 bits.
                              using Wide = WideScalar<Scalar>;
                              const auto share =
                                  broadcast_to(cast<Wide>(dy) / static_cast<Wide>(labels.count()),
                                               labels.shape());
                              return Tensor<Scalar>(detail::softmax_cross_entropy_gradient(
                                  logits.array(), labels.array(), share.array(), where));
                            });
}

// Tangent: the mean of those of the rows
template <FloatingScalar Scalar, IndexScalar Index>
DDX_DERIVATIVE_OF(softmax_cross_entropy)
auto softmax_cross_entropy_jvp(const Tensor<Scalar>& logits, const Tensor<Index>& labels,
                               std::source_location where, const Tensor<Scalar>& dx) {
  const auto rows = softmax_cross_entropy_per_row_jvp(logits, labels, where, dx);
  return detail::tensor_jvp(mean(rows.value), rows.tangent,
                            [](const Tensor<Scalar>& d) { return mean(d); });
}

}  // namespace ddx
