#include "ddx/tensor/rearrangement.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/shape.h"
#include "ddx/ops/site.h"

#include <cstdint>
#include <initializer_list>
#include <new>
#include <source_location>
#include <string>

namespace ddx::detail {
namespace {

void check(const ops::Site& site, const Shape& x, std::int64_t block) {
  if (x.rank() != 4) {
    site.fail("rank " + std::to_string(x.rank()) + " is not 4; shape " + to_string(x));
  }
  // The upper bound keeps the square from overflowing; no array has so many channels.
  if (block < 1 || block > (std::int64_t{1} << 30)) {
    site.fail("block " + std::to_string(block) + " is not in [1, 2^30]; shape " + to_string(x));
  }
}

Shape block_shape(const ops::Site& site, std::initializer_list<std::int64_t> extents) {
  return site.shape({extents.begin(), extents.size()});
}

}  // namespace

BlockShapes depth_to_space_shapes(const Shape& x, std::int64_t block,
                                  const std::source_location& where) try {
  const ops::Site site{"depth_to_space", where};
  check(site, x, block);
  if (x[3] % (block * block) != 0) {
    site.fail("channels " + std::to_string(x[3]) + " are no multiple of the block's " +
              std::to_string(block * block) + " pixels; shape " + to_string(x));
  }
  const std::int64_t channels = x[3] / (block * block);
  return {
      block_shape(site, {x[0], x[1], x[2], block, block, channels}),
      block_shape(site, {x[0], site.product(x[1], block), site.product(x[2], block), channels})};
} catch (const std::bad_alloc&) {
  throw_out_of_memory("depth_to_space_shapes");
}

BlockShapes space_to_depth_shapes(const Shape& x, std::int64_t block,
                                  const std::source_location& where) try {
  const ops::Site site{"space_to_depth", where};
  check(site, x, block);
  if (x[1] % block != 0 || x[2] % block != 0) {
    site.fail("rows " + std::to_string(x[1]) + " and columns " + std::to_string(x[2]) +
              " are not multiples of the block, " + std::to_string(block) + "; shape " +
              to_string(x));
  }
  return {block_shape(site, {x[0], x[1] / block, block, x[2] / block, block, x[3]}),
          block_shape(site, {x[0], x[1] / block, x[2] / block, site.product(block * block, x[3])})};
} catch (const std::bad_alloc&) {
  throw_out_of_memory("space_to_depth_shapes");
}

}  // namespace ddx::detail
