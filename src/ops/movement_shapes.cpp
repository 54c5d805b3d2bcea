#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/movement.h"
#include "ddx/ops/site.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace ddx::ops {
namespace {

using ExtentArray = std::array<std::int64_t, Shape::max_rank>;

Shape shape_of(const Site& site, const ExtentArray& extents, std::size_t rank) {
  return site.shape(std::span<const std::int64_t>(extents.data(), rank));
}

/// Fails where a list is not as long as the rank.
void check_length(const Site& site, const char* list, const Indices& values, const Shape& x) {
  if (values.size() != x.rank()) {
    site.fail(std::string(list) + " " + to_string(values) + " has " +
              std::to_string(values.size()) + " values, not one per axis; shape " + to_string(x));
  }
}

}  // namespace

Shape reshape_shape(const Site& site, const Shape& x, const Indices& extents) {
  ExtentArray result{};
  std::int64_t known = 1;
  bool has_zero = false;
  std::size_t open = extents.size();
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    result[axis] = extents[axis];
    if (extents[axis] > 0) {
      known = site.product(known, extents[axis]);
    } else if (extents[axis] == 0) {
      has_zero = true;
    } else if (extents[axis] == -1 && open == extents.size()) {
      open = axis;
    } else {
      site.fail("extents " + to_string(extents) + " are negative beyond one -1; shape " +
                to_string(x));
    }
  }
  known = has_zero ? 0 : known;
  if (open < extents.size()) {
    result[open] = known == 0 ? 0 : x.count() / known;
    known *= result[open];
  }
  if (known != x.count()) {
    site.fail("shape " + to_string(x) + " has " + std::to_string(x.count()) +
              " elements and cannot become " + to_string(extents));
  }
  return shape_of(site, result, extents.size());
}

Shape inserted_axis(const Site& site, const Shape& x, std::int64_t axis) {
  const auto rank = static_cast<std::int64_t>(x.rank()) + 1;
  if (x.rank() == Shape::max_rank || axis < -rank || axis >= rank) {
    site.fail("there is no place for an axis " + std::to_string(axis) + "; shape " + to_string(x));
  }
  const auto at = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
  ExtentArray extents{};
  for (std::size_t i = 0; i < x.rank(); ++i) {
    extents[i < at ? i : i + 1] = x[i];
  }
  extents[at] = 1;
  return shape_of(site, extents, x.rank() + 1);
}

Resolved<PermutationAttributes> transpose_shape(const Site& site, const Shape& x,
                                                const Indices& order) {
  Resolved<PermutationAttributes> result;
  if (!order.empty()) {
    check_length(site, "order", order, x);
  }
  ExtentArray extents{};
  std::array<bool, Shape::max_rank> taken{};
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    const std::size_t from = order.empty()
                                 ? x.rank() - 1 - axis
                                 : resolve_axis(order[axis], x, site.operation, site.where);
    if (taken[from]) {
      site.fail("order " + to_string(order) + " names axis " + std::to_string(from) +
                " twice; shape " + to_string(x));
    }
    taken[from] = true;
    result.attributes.order[axis] = from;
    extents[axis] = x[from];
  }
  result.shape = shape_of(site, extents, x.rank());
  return result;
}

Resolved<SliceAttributes> slice_shape(const Site& site, const Shape& x, const Indices& start,
                                      const Indices& stop, const Indices& step) {
  for (const auto& [name, list] : {std::pair{"start", &start}, {"stop", &stop}, {"step", &step}}) {
    if (!list->empty()) {
      check_length(site, name, *list, x);
    }
  }
  Resolved<SliceAttributes> result;
  ExtentArray extents{};
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    const std::int64_t extent = x[axis];
    const auto bound = [extent](std::int64_t value) {
      return std::clamp<std::int64_t>(value < 0 ? value + extent : value, 0, extent);
    };
    const std::int64_t first = start.empty() ? 0 : bound(start[axis]);
    const std::int64_t last = stop.empty() ? extent : bound(stop[axis]);
    const std::int64_t distance = step.empty() ? 1 : step[axis];
    if (distance <= 0) {
      site.fail("step " + to_string(step) + " is not positive on axis " + std::to_string(axis) +
                "; shape " + to_string(x));
    }
    result.attributes.start[axis] = first;
    // Steps past the extent all give one element: no product with them overflows.
    result.attributes.step[axis] = std::min(distance, std::max<std::int64_t>(extent, 1));
    extents[axis] = last > first ? (last - first - 1) / distance + 1 : 0;
  }
  result.shape = shape_of(site, extents, x.rank());
  return result;
}

Resolved<SliceAttributes> updated_box(const Site& site, const Shape& x, const Shape& update,
                                      const Indices& start, const Indices& stop,
                                      const Indices& step) {
  const auto box = slice_shape(site, x, start, stop, step);
  if (!broadcasts_to(update, box.shape)) {
    site.fail("the update of shape " + to_string(update) + " does not stretch to the box " +
              to_string(box.shape) + " of shape " + to_string(x));
  }
  return box;
}

AxisAttributes updated_axis(const Site& site, const Shape& x, const Shape& update,
                            std::int64_t axis) {
  const std::size_t along = resolve_axis(axis, x, site.operation, site.where);
  bool fits = x.rank() == update.rank();
  for (std::size_t i = 0; fits && i < x.rank(); ++i) {
    fits = i == along ? update[i] <= x[i] : update[i] == x[i];
  }
  if (!fits) {
    site.fail("the update of shape " + to_string(update) + " is no part of shape " + to_string(x) +
              " along axis " + std::to_string(along));
  }
  return {along};
}

std::optional<std::string> wrong_place(std::int64_t place, std::int64_t update,
                                       std::int64_t extent) {
  if (place >= 0 && place <= extent - update) {
    return std::nullopt;
  }
  return std::to_string(update) + " positions from place " + std::to_string(place) +
         " on do not lie in [0, " + std::to_string(extent) + ")";
}

Resolved<PadAttributes> pad_shape(const Site& site, const Shape& x, const Indices& low,
                                  const Indices& high, Literal value) {
  check_length(site, "low", low, x);
  check_length(site, "high", high, x);
  Resolved<PadAttributes> result;
  result.attributes.value = value;
  ExtentArray extents{};
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    if (low[axis] < 0 || high[axis] < 0) {
      site.fail("amounts " + to_string(low) + " and " + to_string(high) + " are negative on axis " +
                std::to_string(axis) + "; shape " + to_string(x));
    }
    result.attributes.low[axis] = low[axis];
    result.attributes.step[axis] = 1;
    extents[axis] = site.sum(site.sum(low[axis], x[axis]), high[axis]);
  }
  result.shape = shape_of(site, extents, x.rank());
  return result;
}

Resolved<AxisAttributes> concatenate_shape(const Site& site, std::span<const Shape* const> parts,
                                           std::int64_t axis) {
  if (parts.empty()) {
    site.fail("there is no part");
  }
  const Shape& first = *parts[0];
  const std::size_t along = resolve_axis(axis, first, site.operation, site.where);
  ExtentArray extents{};
  std::copy(first.extents().begin(), first.extents().end(), extents.begin());
  for (const Shape* part : parts.subspan(1)) {
    for (std::size_t i = 0; i < std::max(first.rank(), part->rank()); ++i) {
      if (part->rank() != first.rank() || (i != along && (*part)[i] != first[i])) {
        site.fail("parts differ beyond axis " + std::to_string(along) + "; shapes " +
                  to_string(first) + " and " + to_string(*part));
      }
    }
    extents[along] = site.sum(extents[along], (*part)[along]);
  }
  return {shape_of(site, extents, first.rank()), {along}};
}

}  // namespace ddx::ops
