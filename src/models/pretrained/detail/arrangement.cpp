#include "models/pretrained/detail/arrangement.h"

#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/models/pretrained/name_rules.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/movement.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <source_location>
#include <utility>
#include <vector>

namespace ddx::models::detail {
namespace {

using ddx::detail::Array;
using Extents = std::vector<std::int64_t>;

Shape shape_of(const Extents& extents) {
  return Shape(extents, "NameRules", std::source_location::current());
}

/// The extents of `split` in another order.
Extents ordered(const Shape& split, const Indices& order) {
  Extents result;
  for (const std::int64_t axis : order.values()) {
    result.push_back(split[static_cast<std::size_t>(axis)]);
  }
  return result;
}

/// The spatial axes of a published filter come last, and first in ours: `last` are the two others.
Extents filter_order(std::size_t rank, std::int64_t before, std::int64_t last) {
  Extents order;
  for (std::size_t axis = 2; axis < rank; ++axis) {
    order.push_back(static_cast<std::int64_t>(axis));
  }
  order.push_back(before);
  order.push_back(last);
  return order;
}

/// The shape of which `ours` is the spatial axes first, with `first` and `second` in front.
Extents with_spatial_last(std::int64_t first, std::int64_t second, const Shape& ours) {
  Extents extents{first, second};
  for (std::size_t axis = 0; axis + 2 < ours.rank(); ++axis) {
    extents.push_back(ours[axis]);
  }
  return extents;
}

Arrangement made(const Extents& theirs, const Extents& split, const Extents& order,
                 const Shape& ours) {
  return {shape_of(theirs), shape_of(split), Indices(order), ours, true};
}

}  // namespace

std::optional<Arrangement> arrangement(const NameRule& rule, const Shape& ours) {
  const std::size_t rank = ours.rank();
  switch (rule.layout) {
    case Layout::Same:
      return Arrangement{.theirs = ours, .split = {}, .order = {}, .ours = ours, .moves = false};
    case Layout::Transposed: {
      if (rank != 2) {
        return std::nullopt;
      }
      const Extents theirs{ours[1], ours[0]};
      return made(theirs, theirs, {1, 0}, ours);
    }
    case Layout::Filter:
    case Layout::TransposedFilter: {
      if (rank < 3) {
        return std::nullopt;
      }
      const Extents theirs = with_spatial_last(ours[rank - 1], ours[rank - 2], ours);
      return made(theirs, theirs, filter_order(rank, 1, 0), ours);
    }
    case Layout::Depthwise: {
      if (rank < 3) {
        return std::nullopt;
      }
      const std::int64_t channels = ours[rank - 2];
      const std::int64_t multiplier = ours[rank - 1];
      return made(with_spatial_last(channels * multiplier, 1, ours),
                  with_spatial_last(channels, multiplier, ours), filter_order(rank, 0, 1), ours);
    }
    case Layout::Flattened: {
      const auto [channels, height, width] = rule.flattened;
      if (rank != 2 || channels * height * width != ours[0]) {
        return std::nullopt;
      }
      return made({ours[1], ours[0]}, {ours[1], channels, height, width}, {2, 3, 1, 0}, ours);
    }
    case Layout::Neighbours: {
      const std::int64_t rows = rank == 0 ? 0 : ours[rank - 1];
      if (rank < 1 || rank > 2 || rule.heads < 1 || rows % (2 * rule.heads) != 0) {
        return std::nullopt;
      }
      const std::int64_t pairs = rows / (2 * rule.heads);
      return rank == 1 ? made({rows}, {rule.heads, pairs, 2}, {0, 2, 1}, ours)
                       : made({rows, ours[0]}, {rule.heads, pairs, 2, ours[0]}, {3, 0, 2, 1}, ours);
    }
  }
  return std::nullopt;
}

std::optional<Arrangement> row_arrangement(const NameRule& rule, const Shape& ours) {
  if (ours.rank() != 2) {
    return std::nullopt;
  }
  const std::int64_t rows = ours[1];
  switch (rule.layout) {
    case Layout::Transposed: {
      const Shape same{rows, ours[0]};
      return Arrangement{.theirs = same, .split = {}, .order = {}, .ours = same, .moves = false};
    }
    case Layout::Neighbours: {
      if (rule.heads < 1 || rows % (2 * rule.heads) != 0) {
        return std::nullopt;
      }
      const Extents matrix{rows, ours[0]};
      return made(matrix, {rule.heads, rows / (2 * rule.heads), 2, ours[0]}, {0, 2, 1, 3},
                  shape_of(matrix));
    }
    case Layout::Same:
    case Layout::Filter:
    case Layout::Depthwise:
    case Layout::TransposedFilter:
    case Layout::Flattened:
      break;
  }
  return std::nullopt;
}

bool has_extent(const Part& part, std::int64_t extent) noexcept {
  return part.extents.empty() ||
         (std::cmp_equal(part.extents.size(), part.count) &&
          std::ranges::all_of(part.extents, [](std::int64_t each) { return each > 0; }) &&
          part.extents[static_cast<std::size_t>(part.index)] == extent);
}

std::int64_t first_of_part(const Part& part, std::int64_t index, std::int64_t extent) noexcept {
  return part.extents.empty()
             ? index * extent
             : std::accumulate(part.extents.begin(), part.extents.begin() + index, std::int64_t{0});
}

Array to_ours(const Array& theirs, const Arrangement& arrangement) {
  if (!arrangement.moves) {
    return theirs;
  }
  const auto where = std::source_location::current();
  const Array split = ddx::detail::reshape(theirs, arrangement.split, where);
  return ddx::detail::reshape(ddx::detail::transpose(split, arrangement.order, where),
                              arrangement.ours, where);
}

Array to_theirs(const Array& ours, const Arrangement& arrangement) {
  if (!arrangement.moves) {
    return ours;
  }
  const auto where = std::source_location::current();
  const Shape moved = shape_of(ordered(arrangement.split, arrangement.order));
  const Array split = ddx::detail::transpose(ddx::detail::reshape(ours, moved, where),
                                             ddx::detail::inverse_order(arrangement.order), where);
  return ddx::detail::reshape(split, arrangement.theirs, where);
}

}  // namespace ddx::models::detail
