/// \file
/// Borders made of the elements themselves.

#pragma once

#include "ddx/core/indices.h"
#include "ddx/tensor/indexing.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <source_location>

namespace ddx {

/// What a border repeats: of 1 2 3, two to the right are
enum class PadMode : std::uint8_t {
  Reflect,    ///< 2 1: mirrored at the outermost elements, which are not repeated.
  Symmetric,  ///< 3 2: mirrored at the edge.
  Edge,       ///< 3 3: the outermost elements.
  Wrap,       ///< 1 2: the opposite end.
};

namespace detail {
/// Which elements along an axis make up the padded axis.
Tensor<std::int32_t> padded_places(const Shape& shape, std::size_t axis, const Indices& low,
                                   const Indices& high, PadMode mode, Device device,
                                   const std::source_location& where);
}  // namespace detail

/// `x` with low[i] elements more before and high[i] after it along axis i, taken from `x`.
///
/// Shapes:   x [x_i] -> [low_i + x_i + high_i]
/// Throws:   UsageError where a list has another length than the rank, an amount is negative, or
///           larger than what there is to repeat: the extent (Symmetric, Wrap), one less (Reflect);
///           for Edge where the axis is empty.
/// Gradient: each element of the cotangent added where it came from.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> pad_with(
    const Tensor<Scalar>& x, const Indices& low, const Indices& high, PadMode mode,
    std::source_location where = std::source_location::current()) {
  Tensor<Scalar> y = x;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    y = gather(y, detail::padded_places(x.shape(), axis, low, high, mode, x.device(), where),
               static_cast<std::int64_t>(axis), where);
  }
  return y;
}

}  // namespace ddx
