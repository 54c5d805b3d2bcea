/// \file
/// Pooling over regions whose sizes differ by one, so that an image shrinks by a factor that is no
/// integer.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/indexing.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/pooling.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>
#include <vector>

namespace ddx {

namespace detail {

/// Where each of `regions` regions of an axis begins, and the end of the last.
std::vector<std::int64_t> region_borders(std::int64_t extent, std::int64_t regions,
                                         bool pseudo_random, const RandomKey& key);

/// The rows and columns of all regions one after the other, equally many of each: where a region
/// has fewer, its last one is repeated.
struct FractionalRegions {
  Tensor<std::int32_t> rows;
  Tensor<std::int32_t> columns;
  Extent2D size;
};

FractionalRegions fractional_regions(const Shape& x, const RandomKey& key,
                                     const FractionalPoolOptions& options, Device device,
                                     const std::source_location& where);

}  // namespace detail

/// The largest element of each region of a random division of the rows and of the columns.
///
/// With a rows and b regions, a region has floor(a / b) rows or one more, in an order that the key
/// decides. With `pseudo_random` they begin at ceil(a / b (i + u)) - 1, u one random number.
///
/// Shapes:   x [n, h, w, c] -> [n, floor(h / ratios[0]), floor(w / ratios[1]), c]
/// Throws:   UsageError where the rank is not 4, a ratio is not a number of at least 1, or larger
///           than the extent.
/// Gradient: the cotangent to the first largest element, row by row, of the region.
/// Source:   B. Graham, "Fractional max-pooling", 2014. TensorFlow, tf.nn.fractional_max_pool.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> fractional_max_pool2d(
    const RandomKey& key, const Tensor<Scalar>& x, const FractionalPoolOptions& options = {},
    std::source_location where = std::source_location::current()) {
  const detail::FractionalRegions regions =
      detail::fractional_regions(x.shape(), key, options, x.device(), where);
  return max_pool2d(gather(gather(x, regions.rows, 1, where), regions.columns, 2, where),
                    Pool2DOptions{.size = regions.size}, where);
}

}  // namespace ddx
