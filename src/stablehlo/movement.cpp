// Operations that move elements.

#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"
#include "ddx/stablehlo/module.h"

#include "stablehlo/detail/builder.h"
#include "stablehlo/detail/call.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ddx::stablehlo::detail {
namespace {

using ops::Op;

Value transposed(const Call& call) {
  const auto& order = call.as<ops::PermutationAttributes>().order;
  Ints axes;
  for (std::size_t axis = 0; axis < call.in(0).rank(); ++axis) {
    axes.push_back(static_cast<std::int64_t>(order[axis]));
  }
  return transpose(call.in(0), axes);
}

Value box_of(const Call& call) {
  const auto& box = call.as<ops::SliceAttributes>();
  Ints start;
  Ints limit;
  Ints step;
  for (std::size_t axis = 0; axis < call.in(0).rank(); ++axis) {
    start.push_back(box.start[axis]);
    limit.push_back(box.start[axis] + (call.shape()[axis] - 1) * box.step[axis] + 1);
    step.push_back(box.step[axis]);
  }
  return slice(call.in(0), start, limit, step);
}

Value reversed(const Call& call) {
  Ints axes;
  for (std::size_t axis = 0; axis < call.in(0).rank(); ++axis) {
    if (call.as<ops::AxesAttributes>().contains(axis)) {
      axes.push_back(static_cast<std::int64_t>(axis));
    }
  }
  return reverse(call.in(0), axes);
}

Value padded(const Call& call) {
  const auto& a = call.as<ops::PadAttributes>();
  const Value& x = call.in(0);
  Ints low;
  Ints high;
  Ints interior;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    const std::int64_t extent = x.extent(axis);
    const std::int64_t covered = extent == 0 ? 0 : (extent - 1) * a.step[axis] + 1;
    low.push_back(a.low[axis]);
    high.push_back(call.shape()[axis] - a.low[axis] - covered);
    interior.push_back(a.step[axis] - 1);
  }
  return pad(x, call.fields[0], low, high, interior);
}

/// A dense box is written in place. One with gaps is spread over the whole array, with a mask of
/// its elements.
Value updated(const Call& call) {
  const auto& box = call.as<ops::SliceAttributes>();
  const Value& x = call.in(0);
  const Value& update = call.in(1);
  if (update.shape().count() == 0) {
    return x;
  }
  Builder& builder = call.builder;
  Values starts;
  Ints low;
  Ints high;
  Ints interior;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    // One element has no gaps, for any step.
    const std::int64_t step = update.extent(axis) == 1 ? 1 : box.step[axis];
    starts.push_back(builder.number(static_cast<double>(box.start[axis]), DType::i64));
    low.push_back(box.start[axis]);
    high.push_back(x.extent(axis) - box.start[axis] - (update.extent(axis) - 1) * step - 1);
    interior.push_back(step - 1);
  }
  if (std::ranges::all_of(interior, [](std::int64_t gap) { return gap == 0; })) {
    return dynamic_update_slice(x, update, starts);
  }
  const Value spread = pad(update, builder.number(0, x.dtype()), low, high, interior);
  const Value mask = pad(builder.filled(1, update.shape(), DType::boolean),
                         builder.number(0, DType::boolean), low, high, interior);
  return select(mask, spread, x);
}

Value updated_at(const Call& call) {
  const Value& x = call.in(0);
  Values starts(x.rank(), call.builder.number(0, DType::i32));
  starts[call.as<ops::AxisAttributes>().axis] = call.in(2);
  return dynamic_update_slice(x, call.in(1), starts);
}

}  // namespace

Values emit_movement(const Call& call) {
  switch (call.op) {
    case Op::reshape:
      return {reshape(call.in(0), call.shape())};
    case Op::broadcast_to:
      return {stretched(call.in(0), call.shape())};
    case Op::transpose:
      return {transposed(call)};
    case Op::slice:
      return {box_of(call)};
    case Op::reverse:
      return {reversed(call)};
    case Op::pad:
      return {padded(call)};
    case Op::update_slice:
      return {updated(call)};
    case Op::update_at:
      return {updated_at(call)};
    default:
      return {concatenate(call.operands, call.as<ops::AxisAttributes>().axis)};
  }
}

}  // namespace ddx::stablehlo::detail
