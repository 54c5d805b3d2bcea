// Rules of operations that select elements by indices.

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/stablehlo/module.h"
#include "ddx/stablehlo/text.h"

#include "stablehlo/detail/op_check.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace ddx::stablehlo::detail {
namespace {

/// The numbers of gather and scatter, which differ in their names.
struct Numbers {
  const char* record;
  const char* kind;
  const char* windows;      ///< Axes of the slices, in what is gathered or in the updates.
  const char* dropped;      ///< Axes that slices lack.
  const char* batch;        ///< Batch axes of the operand,
  const char* index_batch;  ///< and those of the indices.
  const char* map;          ///< Which axis each index is along.
};

constexpr Numbers gather_numbers{"dimension_numbers",     "gather",
                                 "offset_dims",           "collapsed_slice_dims",
                                 "operand_batching_dims", "start_indices_batching_dims",
                                 "start_index_map"};
constexpr Numbers scatter_numbers{"scatter_dimension_numbers",   "scatter",
                                  "update_window_dims",          "inserted_window_dims",
                                  "input_batching_dims",         "scatter_indices_batching_dims",
                                  "scatter_dims_to_operand_dims"};

/// The extents of the indices without those of one index.
Ints batch_extents(const OpCheck& check, const Numbers& names) {
  const Shape& indices = check.shape(1);
  const std::int64_t vector = check.number(names.record, "index_vector_dim");
  check.require(vector >= 0 && vector <= static_cast<std::int64_t>(indices.rank()),
                "index_vector_dim at most " + std::to_string(indices.rank()),
                std::to_string(vector));
  Ints extents;
  for (std::size_t axis = 0; axis < indices.rank(); ++axis) {
    if (static_cast<std::int64_t>(axis) != vector) {
      extents.push_back(indices[axis]);
    }
  }
  return extents;
}

/// Checks the numbers against operand and indices.
void check_numbers(const OpCheck& check, const Numbers& names) {
  check.require_fields(names.record, names.kind,
                       {names.windows, names.dropped, names.batch, names.index_batch, names.map,
                        "index_vector_dim"});
  const Shape& x = check.shape(0);
  const Shape& indices = check.shape(1);
  check.require(is_integer(check.operand(1).dtype), "integers as indices",
                to_string(check.operand(1)));
  const Ints dropped = check.list(names.record, names.dropped);
  const Ints batch = check.list(names.record, names.batch);
  const Ints index_batch = check.list(names.record, names.index_batch);
  const Ints map = check.list(names.record, names.map);
  check.require_axes(names.dropped, dropped, x.rank(), true);
  check.require_axes(names.batch, batch, x.rank(), true);
  check.require_axes("dropped and batching axes", joined(dropped, batch), x.rank());
  check.require_axes(names.index_batch, index_batch, indices.rank());
  check.require_axes("mapped and batching axes", joined(map, batch), x.rank());
  const auto vector = static_cast<std::size_t>(check.number(names.record, "index_vector_dim"));
  const std::int64_t size = vector < indices.rank() ? indices[vector] : 1;
  check.require(static_cast<std::int64_t>(map.size()) == size,
                std::to_string(size) + " axes in " + names.map, text_of(map));
  check.require(batch.size() == index_batch.size() &&
                    !contains(index_batch, static_cast<std::int64_t>(vector)),
                "as many batching axes of indices as of the operand", text_of(index_batch));
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const std::int64_t extent = x[static_cast<std::size_t>(batch[i])];
    const std::int64_t other = indices[static_cast<std::size_t>(index_batch[i])];
    check.require(extent == other, "a batching axis of extent " + std::to_string(extent),
                  std::to_string(other));
  }
}

/// Extents of windows in their axes, those of the batch in the others.
Ints merged(const OpCheck& check, const Ints& windows, const Ints& own, const Ints& batch) {
  check.require_axes("the axes of slices", windows, own.size() + batch.size(), true);
  check.require(windows.size() == own.size(), std::to_string(own.size()) + " axes of slices",
                text_of(windows));
  Ints extents;
  std::size_t next_own = 0;
  std::size_t next_batch = 0;
  for (std::size_t axis = 0; axis < own.size() + batch.size(); ++axis) {
    extents.push_back(contains(windows, static_cast<std::int64_t>(axis)) ? own[next_own++]
                                                                         : batch[next_batch++]);
  }
  return extents;
}

}  // namespace

void check_gather(const OpCheck& check) {
  check.require_results(1);
  const Numbers& names = gather_numbers;
  const Ints batch = batch_extents(check, names);
  check_numbers(check, names);
  const Shape& x = check.shape(0);
  check.require_length("slice_sizes", x.rank());
  const Ints& sizes = check.ints("slice_sizes");
  const Ints left_out =
      joined(check.list(names.record, names.dropped), check.list(names.record, names.batch));
  Ints kept;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    const bool dropped = contains(left_out, static_cast<std::int64_t>(axis));
    const std::int64_t most = dropped ? std::min<std::int64_t>(x[axis], 1) : x[axis];
    check.require(sizes[axis] >= 0 && sizes[axis] <= most,
                  "a slice of at most " + std::to_string(most) + " on axis " + std::to_string(axis),
                  text_of(sizes));
    if (!dropped) {
      kept.push_back(sizes[axis]);
    }
  }
  const Ints extents = merged(check, check.list(names.record, names.windows), kept, batch);
  check.require_shape(Shape(std::span<const std::int64_t>(extents)));
}

void check_scatter(const OpCheck& check) {
  check.require_results(1);
  const Numbers& names = scatter_numbers;
  const Ints batch = batch_extents(check, names);
  check_numbers(check, names);
  const Shape& x = check.shape(0);
  const Shape& updates = check.shape(2);
  const Ints left_out =
      joined(check.list(names.record, names.dropped), check.list(names.record, names.batch));
  Ints most;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    if (!contains(left_out, static_cast<std::int64_t>(axis))) {
      most.push_back(x[axis]);
    }
  }
  const Ints windows = check.list(names.record, names.windows);
  const Ints bounds = merged(check, windows, most, batch);
  check.require(updates.rank() == bounds.size() && check.operand(2).dtype == check.operand(0).dtype,
                "updates of rank " + std::to_string(bounds.size()) + " and the operand's elements",
                to_string(check.operand(2)));
  for (std::size_t axis = 0; axis < bounds.size(); ++axis) {
    const bool window = contains(windows, static_cast<std::int64_t>(axis));
    check.require(window ? updates[axis] <= bounds[axis] : updates[axis] == bounds[axis],
                  "updates within " + text_of(bounds), to_string(check.operand(2)));
  }
  check.require_shape(x);
  const ir::Type element{{}, check.operand(0).dtype};
  check.require_region(0, {element, element}, {element});
}

void check_dynamic_slices(const OpCheck& check) {
  check.require_results(1);
  const bool updates = check.operation().code == Code::dynamic_update_slice_;
  const std::size_t first = updates ? 2 : 1;
  check.require(check.operands() >= first, "an array and indices",
                std::to_string(check.operands()) + " operands");
  const Shape& x = check.shape(0);
  check.require(check.operands() == first + x.rank(), std::to_string(x.rank()) + " indices behind",
                std::to_string(check.operands() - first));
  for (std::size_t i = first; i < check.operands(); ++i) {
    check.require(is_integer(check.operand(i).dtype), "an integer as index",
                  to_string(check.operand(i)));
    check.require_operand(i, {{}, check.operand(first).dtype});
  }
  if (!updates) {
    check.require_length("slice_sizes", x.rank());
  }
  const Ints update = updates
                          ? Ints(check.shape(1).extents().begin(), check.shape(1).extents().end())
                          : check.ints("slice_sizes");
  check.require(
      update.size() == x.rank() && (!updates || check.operand(1).dtype == check.operand(0).dtype),
      "a slice of rank " + std::to_string(x.rank()) + " and the array's elements", text_of(update));
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    check.require(update[axis] >= 0 && update[axis] <= x[axis],
                  "a slice within " + to_string(check.operand(0)), text_of(update));
  }
  check.require_shape(updates ? x : Shape(std::span<const std::int64_t>(update)));
}

}  // namespace ddx::stablehlo::detail
