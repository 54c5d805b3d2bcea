#include "ddx/tensor/axes.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/ops/axes.h"
#include "ddx/ops/site.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <source_location>
#include <span>
#include <string>

namespace ddx::detail {

Indices squeezed(const Shape& shape, const Indices& axes, const std::source_location& where) try {
  const ops::Site site{"squeeze", where};
  const std::uint32_t dropped = ops::axis_bits(site, shape, axes);
  std::array<std::int64_t, Shape::max_rank> extents{};
  std::size_t rank = 0;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    const bool drops = ((dropped >> axis) & 1U) != 0;
    if (drops && shape[axis] != 1 && !axes.empty()) {
      site.fail("axis " + std::to_string(axis) + " has extent " + std::to_string(shape[axis]) +
                ", not 1; shape " + to_string(shape));
    }
    if (!drops || shape[axis] != 1) {
      extents[rank++] = shape[axis];
    }
  }
  return Indices(std::span<const std::int64_t>(extents.data(), rank));
} catch (const std::bad_alloc&) {
  throw_out_of_memory("squeezed");
}

Indices moving_order(const Shape& shape, std::int64_t from, std::int64_t to,
                     const std::source_location& where) try {
  const std::size_t source = resolve_axis(from, shape, "move_axis", where);
  const std::size_t target = resolve_axis(to, shape, "move_axis", where);
  std::array<std::int64_t, Shape::max_rank> order{};
  std::size_t next = 0;
  for (std::size_t place = 0; place < shape.rank(); ++place) {
    if (place == target) {
      order[place] = static_cast<std::int64_t>(source);
      continue;
    }
    next += next == source ? 1U : 0U;
    order[place] = static_cast<std::int64_t>(next++);
  }
  return Indices(std::span<const std::int64_t>(order.data(), shape.rank()));
} catch (const std::bad_alloc&) {
  throw_out_of_memory("moving_order");
}

}  // namespace ddx::detail
