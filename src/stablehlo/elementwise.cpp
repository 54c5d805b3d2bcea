// Elementwise operations that the specification has, or nearly has.

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/ops/op.h"
#include "ddx/stablehlo/module.h"

#include "stablehlo/detail/builder.h"
#include "stablehlo/detail/call.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace ddx::stablehlo::detail {
namespace {

using ops::Op;

/// The operation named by the row.
Code named(Op op) {
  const std::string_view name = ops::info(op).stablehlo;
  for (const CodeInfo& row : code_table) {
    if (row.name == name) {
      return row.code;
    }
  }
  throw InternalError("emit", std::string(ops::to_string(op)) + " names no operation");
}

bool is_signed(DType dtype) {
  return info(dtype).kind == DTypeKind::Signed;
}

/// The quotient, rounded towards zero. Division by 0 gives any value, but the program continues;
/// the smallest number by -1 wraps around. The specification leaves both undefined.
Value quotient(const Value& a, const Value& b) {
  const Value is_zero = compare("EQ", b, 0);
  if (!is_signed(a.dtype())) {
    return a / select(is_zero, 1, b);
  }
  const Value is_minus_one = compare("EQ", b, -1);
  return select(is_minus_one, -a, a / select(is_zero | is_minus_one, 1, b));
}

/// a - b floor(a / b), exact where a and b are of one sign.
Value remainder(const Value& a, const Value& b) {
  if (info(a.dtype()).kind == DTypeKind::Unsigned) {
    return binary(Code::remainder_, a, select(compare("EQ", b, 0), 1, b));
  }
  if (is_signed(a.dtype())) {
    // By -1 the quotient may overflow; the remainder is 0, as by 1.
    const Value unsafe = compare("EQ", b, 0) | compare("EQ", b, -1);
    const Value rest = binary(Code::remainder_, a, select(unsafe, 1, b));
    const Value fits =
        compare("EQ", rest, 0) | compare("EQ", compare("LT", rest, 0), compare("LT", b, 0));
    return select(fits, rest, rest + b);
  }
  const Value rest = binary(Code::remainder_, a, b);
  const Value fits = compare("EQ", compare("LT", rest, 0), compare("LT", b, 0));
  const Value zero = select(compare("LT", b, 0), -0.0, a.builder().number(0, a.dtype()));
  return select(compare("EQ", rest, 0), zero, select(fits, rest, rest + b));
}

/// a - b trunc(a / b).
Value truncated_remainder(const Value& a, const Value& b) {
  if (!is_integer(a.dtype())) {
    return binary(Code::remainder_, a, b);
  }
  const Value is_zero = compare("EQ", b, 0);
  // By -1 the quotient may not fit; the rest is 0, as by 1.
  const Value unsafe = is_signed(a.dtype()) ? is_zero | compare("EQ", b, -1) : is_zero;
  return binary(Code::remainder_, a, select(unsafe, 1, b));
}

/// The exact quotient, rounded down.
Value floor_quotient(const Value& a, const Value& b) {
  if (is_integer(a.dtype()) && !is_signed(a.dtype())) {
    return quotient(a, b);
  }
  const Value rest = truncated_remainder(a, b);
  const Value fits =
      compare("EQ", rest, 0) | compare("EQ", compare("LT", rest, 0), compare("LT", b, 0));
  if (is_signed(a.dtype())) {
    const Value truncated = quotient(a, b);
    return select(fits, truncated, truncated - 1);
  }
  const Value near = (a - rest) / b;
  const Value rounded = unary(Code::round_nearest_even_, select(fits, near, near - 1));
  const Value plain = a / b;
  return select(compare("EQ", b, 0), plain, select(compare("EQ", rounded, 0), plain * 0, rounded));
}

/// Shifts by the width or more leave no bits, or only the sign.
Value shifted(const Call& call) {
  const Value& x = call.in(0);
  const Value& amount = call.in(1);
  const DType dtype = x.dtype();
  const auto bits = static_cast<double>(8 * info(dtype).bytes);
  const Value too_far = compare("GE", amount, bits);
  const Value safe = select(too_far, bits - 1, amount);
  if (call.op == Op::left_shift) {
    return select(too_far, 0, binary(Code::shift_left_, x, safe));
  }
  if (is_signed(dtype)) {
    return binary(Code::shift_right_arithmetic_, x, safe);
  }
  return select(too_far, 0, binary(Code::shift_right_logical_, x, safe));
}

/// sqrt(a^2 + b^2) without intermediate overflow. Infinite if one operand is, also with a NaN.
Value hypotenuse(const Value& a, const Value& b) {
  const Value one = absolute(a);
  const Value other = absolute(b);
  const Value large = maximum(one, other);
  const Value small = minimum(one, other);
  const Value ratio = small / select(compare("EQ", large, 0), 1, large);
  const Value length = large * unary(Code::sqrt_, ratio * ratio + 1);
  const Value is_infinite = compare("EQ", one, infinity) | compare("EQ", other, infinity);
  return select(is_infinite, infinity, length);
}

}  // namespace

Values emit_named_unary(const Call& call) {
  return {unary(named(call.op), call.in(0))};
}

Values emit_named_binary(const Call& call) {
  return {binary(named(call.op), call.in(0), call.in(1))};
}

Values emit_comparison(const Call& call) {
  const auto direction = [&]() -> std::string_view {
    switch (call.op) {
      case Op::equal:
        return "EQ";
      case Op::not_equal:
        return "NE";
      case Op::less:
        return "LT";
      case Op::less_equal:
        return "LE";
      case Op::greater:
        return "GT";
      default:
        return "GE";
    }
  };
  return {compare(direction(), call.in(0), call.in(1))};
}

Values emit_predicate(const Call& call) {
  const Value& x = call.in(0);
  if (call.op == Op::is_finite) {
    return {is_finite(x)};
  }
  return {call.op == Op::is_nan ? is_nan(x) : compare("EQ", absolute(x), infinity)};
}

Values emit_unary(const Call& call) {
  const Value& x = call.in(0);
  const bool is_unsigned = info(x.dtype()).kind == DTypeKind::Unsigned;
  switch (call.op) {
    case Op::abs:
      return {is_unsigned ? x : absolute(x)};
    case Op::sign:
      return {is_unsigned ? minimum(x, 1) : unary(Code::sign_, x)};
    case Op::square:
      return {x * x};
    case Op::relu:
      return {maximum(x, 0)};
    default:
      return {1 / x};
  }
}

Values emit_binary(const Call& call) {
  const Value& a = call.in(0);
  const Value& b = call.in(1);
  switch (call.op) {
    case Op::div:
      return {is_integer(a.dtype()) ? quotient(a, b) : a / b};
    case Op::remainder:
      return {remainder(a, b)};
    case Op::floor_divide:
      return {floor_quotient(a, b)};
    case Op::fmod:
      return {truncated_remainder(a, b)};
    case Op::squared_difference: {
      const Value difference = a - b;
      return {difference * difference};
    }
    case Op::hypot:
      return {hypotenuse(a, b)};
    case Op::cotangent_product:
      return {cotangent_times(a, b)};
    case Op::cotangent_quotient:
      return {select(compare("EQ", a, 0), a, a / b)};
    case Op::relu_gradient:
      return {select(compare("GT", b, 0), a, 0)};
    case Op::tanh_gradient:
      return {cotangent_times(a, 1 - b * b)};
    case Op::sigmoid_gradient:
      return {select(compare("EQ", a, 0), a, a * b * (1 - b))};
    case Op::add_scaled:
      return {a + call.fields[0] * b};
    default:
      return {shifted(call)};
  }
}

Values emit_select(const Call& call) {
  return {select(call.in(0), call.in(1), call.in(2))};
}

}  // namespace ddx::stablehlo::detail
