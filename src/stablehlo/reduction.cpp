// Reductions, positions of extremes, sorting.

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"
#include "ddx/stablehlo/module.h"

#include "stablehlo/detail/builder.h"
#include "stablehlo/detail/call.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace ddx::stablehlo::detail {
namespace {

using ops::Op;

/// log of the sum of e^x, with the largest term scaled to 1. If that is infinite, or NaN, it is not
/// subtracted.
Value log_sum_exp(const Value& x, const Ints& axes) {
  const Value most = largest(x, axes);
  const Value shift = select(is_finite(most), most, 0);
  const Value total = sum(unary(Code::exponential_, x - along(shift, x.shape(), axes)), axes);
  return shift + unary(Code::log_, total);
}

Value reduced(const Call& call, const Ints& axes) {
  const Value& x = call.in(0);
  switch (call.op) {
    case Op::sum:
      return sum(x, axes);
    case Op::mean: {
      const Value total = sum(x, axes);
      const std::int64_t kept = total.shape().count();
      return total / static_cast<double>(kept == 0 ? 1 : x.shape().count() / kept);
    }
    case Op::max:
      return largest(x, axes);
    case Op::min:
      return reduce(Code::minimum_, x, highest(call.builder, x.dtype()), axes);
    case Op::product:
      return reduce(Code::multiply_, x, call.builder.number(1, x.dtype()), axes);
    case Op::all:
      return reduce(Code::and_, x, call.builder.number(1, x.dtype()), axes);
    case Op::any:
      return reduce(Code::or_, x, call.builder.number(0, x.dtype()), axes);
    default:
      return log_sum_exp(x, axes);
  }
}

/// Whether a is selected before b: larger (or smaller), a NaN before a number, of equal elements
/// the first.
Value is_chosen(const Value& a, const Value& b, const Value& place_a, const Value& place_b,
                const char* direction) {
  Value better = compare(direction, a, b);
  Value equal = compare("EQ", a, b);
  if (info(a.dtype()).kind == DTypeKind::Float) {
    better = better | (is_nan(a) & ~is_nan(b));
    equal = equal | (is_nan(a) & is_nan(b));
  }
  return better | (equal & compare("LT", place_a, place_b));
}

}  // namespace

Values emit_reduction(const Call& call) {
  Ints axes;
  for (std::size_t axis = 0; axis < call.in(0).rank(); ++axis) {
    if (call.as<ops::ReductionAttributes>().reduces(axis)) {
      axes.push_back(static_cast<std::int64_t>(axis));
    }
  }
  return {reshape(reduced(call, axes), call.shape())};
}

Values emit_arg_reduction(const Call& call) {
  const Value& x = call.in(0);
  const std::size_t axis = call.as<ops::AxisAttributes>().axis;
  const bool most = call.op == Op::argmax;
  const Value places = call.builder.iota(x.shape(), axis);
  const Value worst = most ? lowest(call.builder, x.dtype()) : highest(call.builder, x.dtype());
  // Otherwise the position before the array would be the first of equal elements.
  const Value last = call.builder.number(std::numeric_limits<std::int32_t>::max(), DType::i32);
  const Values chosen = reduce(
      {x, places}, {worst, last}, {static_cast<std::int64_t>(axis)},
      [most](const Values& left, const Values& right) {
        const Value first = is_chosen(left[0], right[0], left[1], right[1], most ? "GT" : "LT");
        return Values{select(first, left[0], right[0]), select(first, left[1], right[1])};
      });
  return {chosen[1]};
}

Values emit_argsort(const Call& call) {
  const Value& x = call.in(0);
  const std::size_t axis = x.rank() - 1;
  const bool descending = call.as<ops::SortAttributes>().descending;
  const ir::Type element{{}, x.dtype()};
  const ir::Type place{{}, DType::i32};
  const Value places = call.builder.iota(x.shape(), axis);
  std::vector<Region> regions;
  regions.push_back(
      call.builder.region({element, element, place, place}, [&](const Values& values) {
        const Value& first = values[descending ? 1 : 0];
        const Value& second = values[descending ? 0 : 1];
        const Value precedes = compare("LT", first, second);
        // A NaN comes after every number.
        const bool has_nan = info(x.dtype()).kind == DTypeKind::Float;
        return Values{has_nan ? precedes | (is_nan(second) & ~is_nan(first)) : precedes};
      }));
  return {call.builder.append(
      Code::sort_, {x, places}, {x.type(), {x.shape(), DType::i32}},
      {{"dimension", Integer{static_cast<std::int64_t>(axis)}}, {"is_stable", true}},
      std::move(regions))[1]};
}

}  // namespace ddx::stablehlo::detail
