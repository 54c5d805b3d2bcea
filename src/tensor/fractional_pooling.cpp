#include "ddx/tensor/fractional_pooling.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/device.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/ops/creation.h"
#include "ddx/ops/site.h"
#include "ddx/tensor/detail/recorded_keys.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/tensor.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <new>
#include <numeric>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

namespace ddx::detail {
namespace {

/// The sizes of regions that begin at ceil(alpha (i + u)) - 1: u is so small that the last region
/// is not empty and none is larger than alpha allows.
std::vector<std::int64_t> even_borders(std::int64_t extent, std::int64_t regions,
                                       const RandomKey& key) {
  const double alpha = static_cast<double>(extent) / static_cast<double>(regions);
  const double least = std::floor(alpha);
  const double first_bound = (least + 2) / alpha - 1;
  const double last_bound =
      (static_cast<double>(extent) + 1 - least) / alpha - static_cast<double>(regions - 1);
  const double u = ops::uniform_f64(key, 0) * std::min(first_bound, last_bound);
  std::vector<std::int64_t> borders{0};
  for (std::int64_t i = 1; i < regions; ++i) {
    borders.push_back(static_cast<std::int64_t>(std::ceil(alpha * (static_cast<double>(i) + u))) -
                      1);
  }
  borders.push_back(extent);
  return borders;
}

/// Regions of two sizes in random order.
std::vector<std::int64_t> shuffled_borders(std::int64_t extent, std::int64_t regions,
                                           const RandomKey& key) {
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(regions), extent / regions);
  std::for_each_n(sizes.begin(), extent % regions, [](std::int64_t& size) { ++size; });
  for (std::size_t left = sizes.size(); left > 1; --left) {
    const auto chosen =
        static_cast<std::size_t>(ops::uniform_f64(key, left) * static_cast<double>(left));
    std::swap(sizes[left - 1], sizes[chosen]);
  }
  std::vector<std::int64_t> borders{0};
  for (const std::int64_t size : sizes) {
    borders.push_back(borders.back() + size);
  }
  return borders;
}

/// The indices of the elements of all regions, `each` of a region.
std::vector<std::int32_t> region_indices(const std::vector<std::int64_t>& borders,
                                         std::int64_t each, bool overlapping) {
  const std::int64_t extent = borders.back();
  std::vector<std::int32_t> indices;
  for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
    const std::int64_t end = std::min(borders[i + 1] + (overlapping ? 1 : 0), extent);
    for (std::int64_t k = 0; k < each; ++k) {
      indices.push_back(static_cast<std::int32_t>(std::min(borders[i] + k, end - 1)));
    }
  }
  return indices;
}

/// floor(extent / ratio)
std::int64_t regions_of(const ops::Site& site, const Shape& x, std::size_t axis, double ratio) {
  if (!(ratio >= 1) || ratio > static_cast<double>(x[axis])) {
    site.fail("ratio " + std::to_string(ratio) + " is not in [1, " + std::to_string(x[axis]) +
              "], the extent; shape " + to_string(x));
  }
  return static_cast<std::int64_t>(std::floor(static_cast<double>(x[axis]) / ratio));
}

}  // namespace

std::vector<std::int64_t> region_borders(std::int64_t extent, std::int64_t regions,
                                         bool pseudo_random, const RandomKey& key) {
  const bool is_even = pseudo_random && extent % regions != 0;
  return is_even ? even_borders(extent, regions, key) : shuffled_borders(extent, regions, key);
}

FractionalRegions fractional_regions(const Shape& x, const RandomKey& key,
                                     const FractionalPoolOptions& options, Device device,
                                     const std::source_location& where) try {
  const ops::Site site{"fractional_max_pool2d", where};
  if (x.rank() != 4) {
    site.fail("rank " + std::to_string(x.rank()) + " is not 4; shape " + to_string(x));
  }
  const auto add = [&](std::size_t axis, std::int64_t& each) {
    site.check_places(x[axis], x);
    const std::int64_t extent = x[axis];
    const std::int64_t regions = regions_of(site, x, axis, options.ratios[axis - 1]);
    // Some region has this many elements and none has more, whatever the key.
    each = (extent + regions - 1) / regions + (options.overlapping ? 1 : 0);
    const auto draw = [=, size = each](const RandomKey& own) {
      const auto indices = region_indices(
          region_borders(extent, regions, options.pseudo_random, own), size, options.overlapping);
      return Tensor<std::int32_t>({static_cast<std::int64_t>(indices.size())}, indices, device)
          .array();
    };
    return Tensor<std::int32_t>(drawn(key.fold_in(axis), device, draw));
  };
  Extent2D size{};
  const Tensor<std::int32_t> rows = add(1, size[0]);
  const Tensor<std::int32_t> columns = add(2, size[1]);
  return {rows, columns, size};
} catch (const std::bad_alloc&) {
  throw_out_of_memory("fractional_regions");
}

}  // namespace ddx::detail
