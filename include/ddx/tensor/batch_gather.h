/// \file
/// Slices by index, with indices of its own for each element of a batch.

#pragma once

#include "ddx/tensor/detail/index_tensor.h"
#include "ddx/tensor/indexing.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx {

namespace detail {

/// How a batch is gathered as one: the operand with the batch and the axis joined, the indices
/// counted through, the result's shape.
struct BatchGather {
  Shape joined;
  Tensor<std::int32_t> indices;
  Shape result;
};

BatchGather batch_gather(const Shape& shape, const Tensor<std::int32_t>& indices,
                         std::int64_t batch_axes, const std::source_location& where);

}  // namespace detail

/// y[n, i, b] = x[n, indices[n, i], b], where n runs over the first `batch_axes` axes.
///
/// Shapes:   x [n..., k, b...], indices [n..., i...] -> [n..., i..., b...]
/// Throws:   UsageError where the batch axes differ, there is no axis after them, or an index is
///           not in [0, k).
/// Gradient: each slice of the cotangent added where it came from.
template <TensorScalar Scalar, IndexScalar Index = std::int32_t>
[[nodiscard]] Tensor<Scalar> batch_gather(
    const Tensor<Scalar>& x, const Tensor<Index>& indices, std::int64_t batch_axes = 1,
    std::source_location where = std::source_location::current()) {
  const detail::BatchGather as_one = detail::batch_gather(
      x.shape(), detail::as_int32("batch_gather", indices, where), batch_axes, where);
  return reshape(gather(reshape(x, as_one.joined, where), as_one.indices, 0, where), as_one.result,
                 where);
}

}  // namespace ddx
