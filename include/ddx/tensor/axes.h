/// \file
/// Axes added, dropped, joined or moved; the elements stay in their order or are transposed.

#pragma once

#include "ddx/core/indices.h"
#include "ddx/ops/movement.h"
#include "ddx/ops/site.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx {

namespace detail {
/// The extents without the axes, which must be 1; no axes: without all that are 1.
Indices squeezed(const Shape& shape, const Indices& axes, const std::source_location& where);
/// The permutation that brings axis `from` to place `to`.
Indices moving_order(const Shape& shape, std::int64_t from, std::int64_t to,
                     const std::source_location& where);
}  // namespace detail

/// All elements along one axis.
///
/// Shapes:   x [...] -> [count]
/// Gradient: the cotangent in the operand's shape.
/// Cost:     none; storage is shared.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> flatten(const Tensor<Scalar>& x) {
  return reshape(x, {-1});
}

/// A further axis of extent 1, which becomes axis `axis` of the result.
///
/// Shapes:   x [a..., b...] -> [a..., 1, b...]
/// Throws:   UsageError where the result has no such axis or too high a rank.
/// Gradient: the cotangent in the operand's shape.
/// Cost:     none; storage is shared.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> expand_dims(
    const Tensor<Scalar>& x, std::int64_t axis,
    std::source_location where = std::source_location::current()) {
  return reshape(x, ops::inserted_axis({"expand_dims", where}, x.shape(), axis), where);
}

/// Without these axes, whose extents are 1; without any given, all axes of extent 1 go.
///
/// Shapes:   x [a..., 1, b...] -> [a..., b...]
/// Throws:   UsageError where an axis does not exist, is named twice or has another extent.
/// Gradient: the cotangent in the operand's shape.
/// Cost:     none; storage is shared.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> squeeze(const Tensor<Scalar>& x, const Indices& axes = {},
                                     std::source_location where = std::source_location::current()) {
  return reshape(x, detail::squeezed(x.shape(), axes, where), where);
}

/// Axis `from` at place `to`, the others in their order.
///
/// Shapes:   move_axis(x, 0, 2): x [a, b, c] -> [b, c, a]
/// Throws:   UsageError where an axis does not exist.
/// Gradient: the cotangent with the axis moved back.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> move_axis(
    const Tensor<Scalar>& x, std::int64_t from, std::int64_t to,
    std::source_location where = std::source_location::current()) {
  return transpose(x, detail::moving_order(x.shape(), from, to, where), where);
}

}  // namespace ddx
