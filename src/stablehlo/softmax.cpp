// Softmax, cross entropy and their gradients.

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

/// Elements minus the largest of their line, their exponentials, and the sums of those. If the
/// largest is infinite, or NaN, it is not subtracted.
struct Exponentials {
  Exponentials(const Value& x, const Ints& axis)
      : most(largest(x, axis)),
        shifted(x - along(select(is_finite(most), most, 0), x.shape(), axis)),
        exponentials(unary(Code::exponential_, shifted)),
        total(sum(exponentials, axis)) {}

  Value most;
  Value shifted;
  Value exponentials;
  Value total;
};

Ints row_axis(const Call& call) {
  return {static_cast<std::int64_t>(call.as<ops::AxisAttributes>().axis)};
}

/// Which element of each row is the label's.
Value is_label(const Value& logits, const Value& labels) {
  return compare("EQ", logits.builder().iota(logits.shape(), 1),
                 along(labels, logits.shape(), {1}));
}

}  // namespace

Values emit_softmax(const Call& call) {
  const Value& x = call.in(0);
  const Ints axis = row_axis(call);
  const Exponentials e(x, axis);
  if (call.op == Op::log_softmax) {
    return {e.shifted - along(unary(Code::log_, e.total), x.shape(), axis)};
  }
  return {e.exponentials / along(e.total, x.shape(), axis)};
}

// Operands y, dy.
Values emit_softmax_gradient(const Call& call) {
  const Value& y = call.in(0);
  const Value& dy = call.in(1);
  const Ints axis = row_axis(call);
  if (call.op == Op::log_softmax_gradient) {
    return {dy - unary(Code::exponential_, y) * along(sum(dy, axis), y.shape(), axis)};
  }
  return {y * (dy - along(sum(dy * y, axis), y.shape(), axis))};
}

Values emit_cross_entropy(const Call& call) {
  const Value& logits = call.in(0);
  const Exponentials e(logits, {1});
  const Value chosen = sum(select(is_label(logits, call.in(1)), e.shifted, 0), {1});
  return {unary(Code::log_, e.total) - chosen};
}

// Operands logits, labels, dloss.
Values emit_cross_entropy_gradient(const Call& call) {
  const Value& logits = call.in(0);
  const Exponentials e(logits, {1});
  const Value probability = e.exponentials / along(e.total, logits.shape(), {1});
  const Value one = convert(is_label(logits, call.in(1)), logits.dtype());
  return {along(call.in(2), logits.shape(), {1}) * (probability - one)};
}

}  // namespace ddx::stablehlo::detail
