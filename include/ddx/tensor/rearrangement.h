/// \file
/// Blocks of pixels as channels of one pixel, and back.

#pragma once

#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx {

namespace detail {

/// The shapes on the way: with the rows and columns of blocks as axes of their own, and joined.
struct BlockShapes {
  Shape apart;
  Shape joined;
};

BlockShapes depth_to_space_shapes(const Shape& x, std::int64_t block,
                                  const std::source_location& where);
BlockShapes space_to_depth_shapes(const Shape& x, std::int64_t block,
                                  const std::source_location& where);

}  // namespace detail

/// Spreads the channels of each pixel over a block of pixels. Channel (i block + j) c + k becomes
/// channel k of the pixel in row i and column j of the block.
///
/// Shapes:   x [n, h, w, block block c] -> [n, block h, block w, c]
/// Throws:   UsageError where the rank is not 4, the block is not positive, or its square does not
///           divide the channels.
/// Gradient: space_to_depth of the cotangent.
/// Source:   TensorFlow, tf.nn.depth_to_space.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> depth_to_space(
    const Tensor<Scalar>& x, std::int64_t block,
    std::source_location where = std::source_location::current()) {
  const detail::BlockShapes shapes = detail::depth_to_space_shapes(x.shape(), block, where);
  return reshape(transpose(reshape(x, shapes.apart, where), {0, 1, 3, 2, 4, 5}, where),
                 shapes.joined, where);
}

/// Joins blocks of pixels, which do not overlap, to one pixel: the inverse of depth_to_space.
///
/// Shapes:   x [n, block h, block w, c] -> [n, h, w, block block c]
/// Throws:   UsageError where the rank is not 4, the block is not positive, or does not divide the
///           rows and columns.
/// Gradient: depth_to_space of the cotangent.
/// Source:   TensorFlow, tf.nn.space_to_depth.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> space_to_depth(
    const Tensor<Scalar>& x, std::int64_t block,
    std::source_location where = std::source_location::current()) {
  const detail::BlockShapes shapes = detail::space_to_depth_shapes(x.shape(), block, where);
  return reshape(transpose(reshape(x, shapes.apart, where), {0, 1, 3, 2, 4, 5}, where),
                 shapes.joined, where);
}

}  // namespace ddx
