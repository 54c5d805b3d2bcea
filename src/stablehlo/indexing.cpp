// Gathers elements by indices, and scatters sums.

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"
#include "ddx/stablehlo/module.h"

#include "stablehlo/detail/builder.h"
#include "stablehlo/detail/call.h"
#include "stablehlo/detail/choosing.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ddx::stablehlo::detail {
namespace {

/// Which axes of a gathered array are those of the indices, and which come from the array.
struct ChosenAxes {
  ChosenAxes(const Shape& x, const Shape& indices, std::size_t axis) {
    for (std::size_t i = 0; i < x.rank(); ++i) {
      const bool is_chosen = i == axis;
      sizes.push_back(is_chosen ? 1 : x[i]);
      if (!is_chosen) {
        const std::size_t place = i < axis ? i : i - 1 + indices.rank();
        offsets.push_back(static_cast<std::int64_t>(place));
      }
    }
    chosen.push_back(static_cast<std::int64_t>(axis));
    vector_axis = static_cast<std::int64_t>(indices.rank());
  }

  Ints sizes;
  Ints offsets;
  Ints chosen;
  std::int64_t vector_axis;
};

Field list(const char* name, Ints values) {
  return {name, true, std::move(values)};
}

Field single(const char* name, std::int64_t value) {
  return {name, false, {value}};
}

Value scattered(const Value& into, const Value& indices, const Value& updates, Fields numbers) {
  Builder& builder = into.builder();
  const ir::Type element{{}, into.dtype()};
  std::vector<Region> regions;
  regions.push_back(builder.region(
      {element, element}, [](const Values& values) { return Values{values[0] + values[1]}; }));
  return builder.append_one(Code::scatter_, {into, indices, updates}, into.type(),
                            {{"scatter_dimension_numbers", std::move(numbers)},
                             {"indices_are_sorted", false},
                             {"unique_indices", false}},
                            std::move(regions));
}

/// Adds slices of `updates` to zeros at the indices along an axis.
Value sum_of_chosen(const Value& updates, const Value& indices, std::size_t axis,
                    const ir::Type& result) {
  const ChosenAxes axes(result.shape, indices.shape(), axis);
  return scattered(
      updates.builder().zeros(result), indices, updates,
      {"scatter",
       {list("update_window_dims", axes.offsets), list("inserted_window_dims", axes.chosen),
        list("scatter_dims_to_operand_dims", axes.chosen),
        single("index_vector_dim", axes.vector_axis)}});
}

/// All axes but one.
Ints beside(std::size_t rank, std::size_t axis) {
  Ints axes;
  for (std::size_t i = 0; i < rank; ++i) {
    if (i != axis) {
      axes.push_back(static_cast<std::int64_t>(i));
    }
  }
  return axes;
}

std::size_t only_axis(const Call& call) {
  return call.as<ops::AxisAttributes>().axis;
}

/// If there is nothing to gather from, a check has failed, and any elements will do.
bool has_nothing(const Value& x, std::size_t axis) {
  return x.extent(axis) == 0;
}

}  // namespace

Value chosen(const Value& x, const Value& indices, std::size_t axis) {
  const ChosenAxes axes(x.shape(), indices.shape(), axis);
  const auto all = x.shape().extents();
  Ints extents(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(axis));
  extents.insert(extents.end(), indices.shape().extents().begin(), indices.shape().extents().end());
  extents.insert(extents.end(), all.begin() + static_cast<std::ptrdiff_t>(axis) + 1, all.end());
  const Fields numbers{
      "gather",
      {list("offset_dims", axes.offsets), list("collapsed_slice_dims", axes.chosen),
       list("start_index_map", axes.chosen), single("index_vector_dim", axes.vector_axis)}};
  return x.builder().append_one(
      Code::gather_, {x, indices}, {shape_of(extents), x.dtype()},
      {{"dimension_numbers", numbers}, {"slice_sizes", axes.sizes}, {"indices_are_sorted", false}});
}

Value chosen_rows(const Value& x, const Value& indices) {
  const Fields numbers{
      "gather",
      {list("offset_dims", {2}), list("collapsed_slice_dims", {1}),
       list("operand_batching_dims", {0}), list("start_indices_batching_dims", {0}),
       list("start_index_map", {1}), single("index_vector_dim", 2)}};
  return x.builder().append_one(
      Code::gather_, {x, indices},
      {Shape{indices.extent(0), indices.extent(1), x.extent(2)}, x.dtype()},
      {{"dimension_numbers", numbers},
       {"slice_sizes", Ints{1, 1, x.extent(2)}},
       {"indices_are_sorted", false}});
}

Values emit_gather(const Call& call) {
  if (has_nothing(call.in(0), only_axis(call))) {
    return {call.builder.zeros(call.results[0])};
  }
  return {chosen(call.in(0), call.in(1), only_axis(call))};
}

Values emit_gather_gradient(const Call& call) {
  return {sum_of_chosen(call.in(0), call.in(1), only_axis(call), call.results[0])};
}

Values emit_take_along_axis(const Call& call) {
  const Value& x = call.in(0);
  const std::size_t axis = only_axis(call);
  if (has_nothing(x, axis)) {
    return {call.builder.zeros(call.results[0])};
  }
  const Ints along{static_cast<std::int64_t>(axis)};
  const Ints batch = beside(x.rank(), axis);
  const Fields numbers{"gather",
                       {list("offset_dims", {}), list("collapsed_slice_dims", along),
                        list("operand_batching_dims", batch),
                        list("start_indices_batching_dims", batch), list("start_index_map", along),
                        single("index_vector_dim", static_cast<std::int64_t>(x.rank()))}};
  return {call.builder.append_one(Code::gather_, {x, call.in(1)}, call.results[0],
                                  {{"dimension_numbers", numbers},
                                   {"slice_sizes", Ints(x.rank(), 1)},
                                   {"indices_are_sorted", false}})};
}

Values emit_take_along_axis_gradient(const Call& call) {
  const std::size_t axis = only_axis(call);
  const std::size_t rank = call.shape().rank();
  const Ints along{static_cast<std::int64_t>(axis)};
  const Ints batch = beside(rank, axis);
  return {
      scattered(call.builder.zeros(call.results[0]), call.in(1), call.in(0),
                {"scatter",
                 {list("update_window_dims", {}), list("inserted_window_dims", along),
                  list("input_batching_dims", batch), list("scatter_indices_batching_dims", batch),
                  list("scatter_dims_to_operand_dims", along),
                  single("index_vector_dim", static_cast<std::int64_t>(rank))}})};
}

Values emit_one_hot(const Call& call) {
  const Shape& shape = call.shape();
  const std::size_t last = shape.rank() - 1;
  const Value places = call.builder.iota(shape, last);
  const Value indices = along(call.in(0), shape, {static_cast<std::int64_t>(last)});
  return {convert(compare("EQ", places, indices), call.dtype())};
}

namespace {

/// The positions of the weights of each sum: first_i + j, in one axis.
Value places_of(const Value& first, const Value& weights) {
  const Shape& shape = weights.shape();
  const Value offsets = first.builder().iota(shape, 1);
  return reshape(along(first, shape, {1}) + offsets, Shape{shape.count()});
}

/// [elements before an axis, those along it, those after it].
Shape around(const Shape& shape, std::size_t axis) {
  Ints extents{1, shape[axis], 1};
  for (std::size_t i = 0; i < shape.rank(); ++i) {
    if (i != axis) {
      extents[i < axis ? 0 : 2] *= shape[i];
    }
  }
  return shape_of(extents);
}

}  // namespace

// y_i = sum_j weights_ij x_(first_i + j)
Values emit_resample(const Call& call) {
  const std::size_t axis = only_axis(call);
  const Value& weights = call.in(2);
  const Value x = reshape(call.in(0), around(call.in(0).shape(), axis));
  const Value parts = chosen(x, places_of(call.in(1), weights), 1);
  const Shape spread{x.extent(0), weights.extent(0), weights.extent(1), x.extent(2)};
  const Value terms = reshape(parts, spread) * broadcast_in_dim(weights, spread, {1, 2});
  return {reshape(sum(terms, {2}), call.shape())};
}

// dx_r = sum over i and j with first_i + j = r of weights_ij dy_i
Values emit_resample_gradient(const Call& call) {
  const std::size_t axis = only_axis(call);
  const Value& weights = call.in(2);
  const Value dy = reshape(call.in(0), around(call.in(0).shape(), axis));
  const Shape spread{dy.extent(0), weights.extent(0), weights.extent(1), dy.extent(2)};
  const Value terms = along(dy, spread, {2}) * broadcast_in_dim(weights, spread, {1, 2});
  const Value flat = reshape(terms, with_extent(dy.shape(), 1, weights.shape().count()));
  const Shape into = around(call.shape(), axis);
  return {reshape(sum_of_chosen(flat, places_of(call.in(1), weights), 1, {into, dy.dtype()}),
                  call.shape())};
}

}  // namespace ddx::stablehlo::detail
