/// \file
/// Repetitions of a tensor and of its elements.

#pragma once

#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx {

namespace detail {

/// The three shapes on the way to a repetition: with axes of extent 1 for the repeats, with the
/// repeats, and joined.
struct Repetition {
  Shape apart;
  Shape repeated;
  Shape joined;
};

Repetition tiles(const Shape& shape, const Indices& repeats, const std::source_location& where);
Repetition repeats_along(const Shape& shape, std::int64_t count, std::int64_t axis,
                         const std::source_location& where);

}  // namespace detail

/// Copies of `x` beside each other, repeats[i] along axis i.
///
/// Shapes:   x [x_i] -> [repeats_i x_i]
/// Throws:   UsageError where there is not one repeat per axis, one is negative, or the axes and
///           those that are repeated are more than 8 together.
/// Gradient: the cotangent summed over the copies.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> tile(const Tensor<Scalar>& x, const Indices& repeats,
                                  std::source_location where = std::source_location::current()) {
  const detail::Repetition shapes = detail::tiles(x.shape(), repeats, where);
  return reshape(broadcast_to(reshape(x, shapes.apart, where), shapes.repeated, where),
                 shapes.joined, where);
}

/// Each element `count` times in a row along an axis.
///
/// Shapes:   x [a..., n, b...] -> [a..., count n, b...]
/// Throws:   UsageError where the axis does not exist, the count is negative, or the rank is 8.
/// Gradient: the cotangent summed over the repetitions.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> repeat(const Tensor<Scalar>& x, std::int64_t count, std::int64_t axis,
                                    std::source_location where = std::source_location::current()) {
  const detail::Repetition shapes = detail::repeats_along(x.shape(), count, axis, where);
  return reshape(broadcast_to(reshape(x, shapes.apart, where), shapes.repeated, where),
                 shapes.joined, where);
}

}  // namespace ddx
