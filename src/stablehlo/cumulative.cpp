// Prefix results along an axis, in log2(n) steps, each of which combines every element with the one
// 1, 2, 4, ... positions before it (W. D. Hillis, G. L. Steele, "Data parallel algorithms", 1986).
// A window of n elements, as in the specification, would cost n^2.

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"
#include "ddx/stablehlo/module.h"

#include "stablehlo/detail/builder.h"
#include "stablehlo/detail/call.h"

#include <cstddef>
#include <cstdint>

namespace ddx::stablehlo::detail {
namespace {

using ops::Op;

/// The elements `distance` positions before each along the axis, or after it; `fill` where there
/// are none.
Value before(const Value& x, const ops::CumulativeAttributes& attributes, std::int64_t distance,
             const Value& fill) {
  Ints low(x.rank(), 0);
  Ints high(x.rank(), 0);
  low[attributes.axis] = attributes.reverse ? -distance : distance;
  high[attributes.axis] = -low[attributes.axis];
  return pad(x, fill, low, high, Ints(x.rank(), 0));
}

/// log(e^a + e^b)
Value log_add(const Value& a, const Value& b) {
  const Value most = maximum(a, b);
  const Value shift = select(is_finite(most), most, 0);
  return shift + unary(Code::log_,
                       unary(Code::exponential_, a - shift) + unary(Code::exponential_, b - shift));
}

Value combined(Op op, const Value& earlier, const Value& later) {
  switch (op) {
    case Op::cumulative_sum:
      return earlier + later;
    case Op::cumulative_product:
      return earlier * later;
    case Op::cumulative_max:
      return maximum(earlier, later);
    default:
      return log_add(earlier, later);
  }
}

/// The neutral element of the combination.
Value neutral(const Call& call) {
  const DType dtype = call.dtype();
  switch (call.op) {
    case Op::cumulative_sum:
      return call.builder.number(0, dtype);
    case Op::cumulative_product:
      return call.builder.number(1, dtype);
    default:
      return lowest(call.builder, dtype);
  }
}

/// y_i = a_i y_(i-1) + b_i: pairs (a, b) are the maps y -> a y + b, which are composed. The first
/// element is not combined, so that 0 is never multiplied by an infinity that is not an element.
Value recurrence(const Call& call) {
  const auto& attributes = call.as<ops::CumulativeAttributes>();
  const std::int64_t extent = call.shape()[attributes.axis];
  const Value zero = call.builder.number(0, call.dtype());
  const Value places = call.builder.iota(call.shape(), attributes.axis);
  Value a = call.in(0);
  Value b = call.in(1);
  for (std::int64_t distance = 1; distance < extent; distance *= 2) {
    const Value has_before = attributes.reverse
                                 ? compare("LT", places, static_cast<double>(extent - distance))
                                 : compare("GE", places, static_cast<double>(distance));
    b = select(has_before, a * before(b, attributes, distance, zero) + b, b);
    a = select(has_before, a * before(a, attributes, distance, zero), a);
  }
  return b;
}

}  // namespace

Values emit_cumulative(const Call& call) {
  if (call.op == Op::linear_recurrence) {
    return {recurrence(call)};
  }
  const auto& attributes = call.as<ops::CumulativeAttributes>();
  const Value fill = neutral(call);
  Value result = call.in(0);
  for (std::int64_t distance = 1; distance < call.shape()[attributes.axis]; distance *= 2) {
    result = combined(call.op, before(result, attributes, distance, fill), result);
  }
  return {result};
}

}  // namespace ddx::stablehlo::detail
