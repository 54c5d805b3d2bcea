/// \file
/// Operations that move, repeat or drop elements and compute nothing.

#pragma once

#include "ddx/tensor/detail/bare_number.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/tensor_lists.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx {

/// The same elements, in row-major order, in another shape: `reshape(x, {-1, 10})`. One extent may
/// be -1: what remains.
///
/// Shapes:   x [...] -> extents, of the same count
/// Throws:   UsageError where the counts differ, or more than one extent is negative.
/// Gradient: the cotangent in the operand's shape.
/// Cost:     none; storage is shared.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> reshape(const Tensor<Scalar>& x, const Indices& extents,
                                     std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::reshape(x.array(), extents, where));
}

// Primal:  y = x in another shape
// Adjoint: adj[x] += adj[y] in the shape of x
// Saves:   nothing
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(reshape)
auto reshape_vjp(const Tensor<Scalar>& x, const Indices& extents, std::source_location where) {
  return detail::tensor_vjp(
      reshape(x, extents, where),
      [shape = x.shape()](const Tensor<Scalar>& dy) { return reshape(dy, shape); });
}

// Tangent: reshaped likewise
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(reshape)
auto reshape_jvp(const Tensor<Scalar>& x, const Indices& extents, std::source_location where,
                 const Tensor<Scalar>& d_x) {
  return detail::tensor_jvp(reshape(x, extents, where), d_x,
                            [&](const Tensor<Scalar>& d) { return reshape(d, extents, where); });
}

/// The elements, repeated along missing axes and axes of extent 1.
///
/// Shapes:   x [x_m ... x_1] -> shape; aligned at the last axis
/// Throws:   UsageError where an extent of `x` is neither 1 nor the shape's.
/// Gradient: the cotangent summed over the repetitions.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> broadcast_to(
    const Tensor<Scalar>& x, const Shape& shape,
    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::broadcast_to(x.array(), shape, where));
}

// Primal:  y = x repeated
// Adjoint: adj[x] += adj[y] summed over the repetitions
// Saves:   nothing
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(broadcast_to)
auto broadcast_to_vjp(const Tensor<Scalar>& x, const Shape& shape, std::source_location where) {
  return detail::tensor_vjp(
      broadcast_to(x, shape, where),
      [from = x.shape()](const Tensor<Scalar>& dy) { return sum_to(dy, from); });
}

// Tangent: repeated likewise
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(broadcast_to)
auto broadcast_to_jvp(const Tensor<Scalar>& x, const Shape& shape, std::source_location where,
                      const Tensor<Scalar>& d_x) {
  return detail::tensor_jvp(broadcast_to(x, shape, where), d_x,
                            [&](const Tensor<Scalar>& d) { return broadcast_to(d, shape, where); });
}

/// The sum over the repetitions that broadcasting `shape` to the shape of `x` makes: the adjoint of
/// `broadcast_to`.
///
/// Shapes:   x [...] -> shape, which must broadcast to the shape of x
/// Throws:   UsageError where it does not.
/// Gradient: the cotangent repeated.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> sum_to(const Tensor<Scalar>& x, const Shape& shape,
                                    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::sum_to(x.array(), shape, where));
}

// Primal:  y = x summed over repetitions
// Adjoint: adj[x] += adj[y] repeated
// Saves:   nothing
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(sum_to)
auto sum_to_vjp(const Tensor<Scalar>& x, const Shape& shape, std::source_location where) {
  return detail::tensor_vjp(sum_to(x, shape, where), [from = x.shape()](const Tensor<Scalar>& dy) {
    return broadcast_to(dy, from);
  });
}

// Tangent: summed likewise
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(sum_to)
auto sum_to_jvp(const Tensor<Scalar>& x, const Shape& shape, std::source_location where,
                const Tensor<Scalar>& d_x) {
  return detail::tensor_jvp(sum_to(x, shape, where), d_x,
                            [&](const Tensor<Scalar>& d) { return sum_to(d, shape, where); });
}

/// The axes in another order: output axis i is input axis order[i]. Without an order: reversed.
///
/// Shapes:   x [x_0 ... x_n] -> [x_order[0] ... x_order[n]]
/// Throws:   UsageError where the order is no permutation of the axes.
/// Gradient: the cotangent in the opposite order.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> transpose(
    const Tensor<Scalar>& x, const Indices& order = {},
    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::transpose(x.array(), order, where));
}

namespace detail {
/// The order that undoes `order`; empty for empty. Requires a valid permutation of `rank` axes.
Indices inverse_order(const Indices& order);
}  // namespace detail

// Primal:  y = x with axes in the given order
// Adjoint: adj[x] += adj[y] with axes in the inverse order
// Saves:   nothing
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(transpose)
auto transpose_vjp(const Tensor<Scalar>& x, const Indices& order, std::source_location where) {
  return detail::tensor_vjp(transpose(x, order, where), [order](const Tensor<Scalar>& dy) {
    return transpose(dy, detail::inverse_order(order));
  });
}

// Tangent: transposed likewise
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(transpose)
auto transpose_jvp(const Tensor<Scalar>& x, const Indices& order, std::source_location where,
                   const Tensor<Scalar>& d_x) {
  return detail::tensor_jvp(transpose(x, order, where), d_x,
                            [&](const Tensor<Scalar>& d) { return transpose(d, order, where); });
}

/// The elements of a box: `slice(x, {.start = {1, 0}, .stop = {3, 4}})`. Bounds past an end are
/// clamped to it.
///
/// Shapes:   x [...] -> per axis ceil((stop - start) / step), at least 0
/// Throws:   UsageError where a list has another length than the rank, or a step is not positive.
/// Gradient: zeros that hold the cotangent in the box.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> slice(const Tensor<Scalar>& x, const SliceOptions& options,
                                   std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::slice(x.array(), options, where));
}

// Primal:  y_i = x_(start + i step)
// Adjoint: adj[x_(start + i step)] += adj[y_i]
// Saves:   nothing
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(slice)
auto slice_vjp(const Tensor<Scalar>& x, const SliceOptions& options, std::source_location where) {
  return detail::tensor_vjp(
      slice(x, options, where), [shape = x.shape(), options](const Tensor<Scalar>& dy) {
        return Tensor<Scalar>(detail::slice_gradient(dy.array(), shape, options));
      });
}

// Tangent: the box of the tangent
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(slice)
auto slice_jvp(const Tensor<Scalar>& x, const SliceOptions& options, std::source_location where,
               const Tensor<Scalar>& dx) {
  return detail::tensor_jvp(slice(x, options, where), dx,
                            [&](const Tensor<Scalar>& d) { return slice(d, options, where); });
}

/// The elements with `low` copies of `value` before and `high` after them along each axis.
///
/// Shapes:   x [x_i] -> [low_i + x_i + high_i]
/// Throws:   UsageError where a list has another length than the rank, or an amount is negative.
/// Gradient: the cotangent without its border; `value` gets the border's sum.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> pad(const Tensor<Scalar>& x, const Indices& low, const Indices& high,
                                 detail::BareNumber<Scalar> value = {},
                                 std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::pad(x.array(), low, high, detail::literal<Scalar>(value), where));
}

// Primal:  y_(low + i) = x_i, the border is the value
// Adjoint: adj[x_i] += adj[y_(low + i)]; adj[value] += adj[y] summed over the border
// Saves:   nothing
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(pad)
auto pad_vjp(const Tensor<Scalar>& x, const Indices& low, const Indices& high,
             detail::BareNumber<Scalar> value, std::source_location where) {
  return detail::tensor_vjp(
      pad(x, low, high, value, where),
      [shape = x.shape(), low](const Tensor<Scalar>& dy, Wanted<2> wanted) {
        const Tensor<Scalar> inner(detail::crop(dy.array(), low, shape));
        const Scalar border = wanted[1] ? detail::sum_all(dy) - detail::sum_all(inner) : Scalar{};
        return std::tuple(inner, border);
      });
}

// Tangent: the tangent with the border's
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(pad)
auto pad_jvp(const Tensor<Scalar>& x, const Indices& low, const Indices& high,
             detail::BareNumber<Scalar> value, std::source_location where, const Tensor<Scalar>& dx,
             detail::BareNumber<Scalar> d_value) {
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{
      pad(x, low, high, value, where), pad(detail::conformed(dx, x), low, high, d_value, where)};
}

/// The parts one after another along an axis.
///
/// Shapes:   parts [..., p_i, ...], equal except for the axis -> [..., sum of p_i, ...]
/// Throws:   UsageError where there is no part, or shapes or devices differ.
/// Gradient: to each part its share of the cotangent.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> concatenate(
    const std::vector<Tensor<Scalar>>& parts, std::int64_t axis = 0,
    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::concatenate(detail::arrays_of(parts), axis, where));
}

// Primal:  y = parts joined along the axis
// Adjoint: adj[part] += adj[y] in the part's place
// Saves:   nothing
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(concatenate)
auto concatenate_vjp(const std::vector<Tensor<Scalar>>& parts, std::int64_t axis,
                     std::source_location where) {
  return detail::tensor_vjp(concatenate(parts, axis, where),
                            [shapes = detail::shapes_of(parts), axis](const Tensor<Scalar>& dy) {
                              std::vector<Tensor<Scalar>> tangents;
                              std::int64_t start = 0;
                              for (const auto& shape : shapes) {
                                tangents.emplace_back(detail::part(dy.array(), shape, axis, start));
                                start += shape[resolve_axis(axis, shape, "concatenate")];
                              }
                              return tangents;
                            });
}

// Tangent: the tangents one after another
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(concatenate)
auto concatenate_jvp(const std::vector<Tensor<Scalar>>& parts, std::int64_t axis,
                     std::source_location where, const std::vector<Tensor<Scalar>>& d_parts) {
  auto y = concatenate(parts, axis, where);
  auto dy = concatenate(detail::real_tangents(d_parts, detail::shapes_of(parts), y.device()), axis,
                        where);
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{std::move(y), std::move(dy)};
}

}  // namespace ddx
