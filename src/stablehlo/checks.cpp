// The requirements of operations on elements, as one bool each.

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

Value never(const Call& call) {
  return call.builder.number(0, DType::boolean);
}

/// Whether an index is not in [0, extent).
Value is_outside(const Value& indices, std::int64_t extent) {
  return any(compare("LT", indices, 0) | compare("GE", indices, static_cast<double>(extent)));
}

/// The diagonals of a batch of matrices; `fill` elsewhere.
Value diagonal(const Value& x, double fill) {
  const std::size_t rank = x.rank();
  const Value is_diagonal =
      compare("EQ", x.builder().iota(x.shape(), rank - 2), x.builder().iota(x.shape(), rank - 1));
  return select(is_diagonal, x, fill);
}

Value is_not_finite(const Value& x) {
  return any(~is_finite(x));
}

bool is_floating(const Value& x) {
  return info(x.dtype()).kind == DTypeKind::Float;
}

}  // namespace

Value failure_of(const Call& call, const Values& results) {
  switch (call.op) {
    case Op::div:
    case Op::remainder:
    case Op::floor_divide:
    case Op::fmod:
      return is_floating(call.in(1)) || is_complex(call.in(1).dtype())
                 ? never(call)
                 : any(compare("EQ", call.in(1), 0));
    case Op::cast:  // Of indices of 64 bits to 32.
      return any(compare("LT", call.in(0), -0x1p31) | compare("GT", call.in(0), 0x1p31 - 1));
    case Op::left_shift:
    case Op::right_shift:
      return any(compare("LT", call.in(1), 0));
    case Op::update_at: {
      const std::size_t axis = call.as<ops::AxisAttributes>().axis;
      return is_outside(call.in(2), call.in(0).extent(axis) - call.in(1).extent(axis) + 1);
    }
    case Op::attention_over_range: {
      const Value& range = call.in(3);
      const std::int64_t keys = call.in(1).extent(call.in(1).rank() - 2);
      const Value first = slice_axis(range, 0, 0, 1);
      const Value end = slice_axis(range, 0, 1, 2);
      return is_outside(range, keys + 1) | any(compare("GT", first, end));
    }
    case Op::gather:
    case Op::take_along_axis:
      return is_outside(call.in(1), call.in(0).extent(call.as<ops::AxisAttributes>().axis));
    case Op::gather_gradient:
    case Op::take_along_axis_gradient:
      return is_outside(call.in(1), call.shape()[call.as<ops::AxisAttributes>().axis]);
    case Op::softmax_cross_entropy:
    case Op::softmax_cross_entropy_gradient:
      return is_outside(call.in(1), call.in(0).extent(1));
    case Op::mul:  // In decompositions, which use half the sum of a matrix and its transpose.
      return is_floating(call.in(0)) ? is_not_finite(call.in(0)) : never(call);
    case Op::svd:
    case Op::svdvals:
    case Op::eigh:
    case Op::eigvalsh:
      return is_not_finite(call.in(0));
    case Op::cholesky:
      return any(~compare("GT", diagonal(results[0], 1), 0));
    case Op::lu:
      return any(compare("EQ", diagonal(results[0], 1), 0));
    case Op::triangular_solve:
      return call.as<ops::TriangleAttributes>().unit_diagonal
                 ? never(call)
                 : any(compare("EQ", diagonal(call.in(0), 1), 0));
    default:  // The others accept any elements.
      return never(call);
  }
}

}  // namespace ddx::stablehlo::detail
