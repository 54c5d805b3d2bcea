/// \file
/// Elements chosen by a mask. The results' shapes depend on the elements.

#pragma once

#include "ddx/tensor/indexing.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx {

namespace detail {
/// The places, counted in row-major order, of the elements that are not zero.
Tensor<std::int32_t> flat_nonzero(const Array& x, const std::source_location& where);
/// The positions of flat places in a shape.
Tensor<std::int32_t> positions_of(const Tensor<std::int32_t>& places, const Shape& shape);
/// The shape with the axes of the mask, its first ones, joined.
Indices masked_rows(const Shape& shape, const Shape& mask, const std::source_location& where);
}  // namespace detail

/// The positions of the elements that are not zero, in row-major order, one per row.
///
/// Shapes:   x [...] -> [number of them, rank of x]
/// Throws:   UsageError where `x` has more elements than indices of 32 bits count.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<std::int32_t> nonzero(
    const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) {
  return detail::positions_of(detail::flat_nonzero(x.array(), where), x.shape());
}

/// The slices of `x` where the mask is true, in row-major order.
///
/// Shapes:   x [m..., b...], mask [m...] -> [number of true elements, b...]
/// Throws:   UsageError where `x` does not begin with the axes of the mask, or devices differ.
/// Gradient: each slice of the cotangent where it came from.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> boolean_mask(
    const Tensor<Scalar>& x, const Tensor<bool>& mask,
    std::source_location where = std::source_location::current()) {
  return gather(reshape(x, detail::masked_rows(x.shape(), mask.shape(), where), where),
                detail::flat_nonzero(mask.array(), where), 0, where);
}

}  // namespace ddx
