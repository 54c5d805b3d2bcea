// Logarithms, powers, circular and hyperbolic functions that the specification lacks.

#include "ddx/ops/op.h"
#include "ddx/stablehlo/module.h"

#include "stablehlo/detail/builder.h"
#include "stablehlo/detail/call.h"

#include <limits>
#include <numbers>

namespace ddx::stablehlo::detail {
namespace {

using ops::Op;

Value exponential(const Value& x) {
  return unary(Code::exponential_, x);
}
Value log_of_one_plus(const Value& x) {
  return unary(Code::log_plus_one_, x);
}
Value root(const Value& x) {
  return unary(Code::sqrt_, x);
}
Value with_sign_of(const Value& size, const Value& x) {
  return select(compare("LT", x, 0), -size, size);
}
Value angle(const Value& y, const Value& x) {
  return binary(Code::atan2_, y, x);
}
Value one(const Value& x) {
  return x.builder().filled(1, x.shape(), x.dtype());
}

/// 2^x as a power, which is exact for integers.
Value power_of_two(const Value& x) {
  return binary(Code::power_, x.builder().number(2, x.dtype()), x);
}

/// Near 0 from e^x - 1, for precision; elsewhere from the square root of the exponential, so that
/// the halves do not overflow before their sum does.
Value hyperbolic_sine(const Value& x) {
  const Value size = absolute(x);
  const Value small = unary(Code::exponential_minus_one_, size);
  const Value near = (small + small / (small + 1)) * 0.5;
  const Value half = exponential(size * 0.5);
  const Value far = half * 0.5 * half;
  // From 20 on e^-x is negligible against e^x.
  return select(compare("EQ", x, 0), x,
                with_sign_of(select(compare("LT", size, 20), near, far), x));
}

Value hyperbolic_cosine(const Value& x) {
  const Value half = exponential(absolute(x) * 0.5);
  return half * 0.5 * half + 0.5 / half / half;
}

/// log(|x| + sqrt(x^2 + 1)), of large x log(2 |x|), with the sign of x.
Value inverse_hyperbolic_sine(const Value& x) {
  const Value size = absolute(x);
  const Value square = size * size;
  const Value near = log_of_one_plus(size + square / (root(square + 1) + 1));
  const Value far = logarithm(size) + std::numbers::ln2;
  const Value result = with_sign_of(select(compare("LT", size, 1e8), near, far), x);
  return select(compare("EQ", x, 0), x, result);
}

/// With t = x - 1: log(1 + t + sqrt(2 t + t^2)).
Value inverse_hyperbolic_cosine(const Value& x) {
  const Value t = x - 1;
  const Value near = log_of_one_plus(t + root(t * (t + 2)));
  const Value far = logarithm(x) + std::numbers::ln2;
  return select(compare("LT", x, 1), nan, select(compare("LT", x, 1e8), near, far));
}

Value silu(const Value& x) {
  const Value e = exponential(-absolute(x));
  // Below -800 the exponential of x is 0, also in a product with an infinity.
  const Value negative = maximum(x, -800) * e / (e + 1);
  return select(compare("LT", x, 0), negative, x / (e + 1));
}

/// s + x s (1 - s), from the exponential of a negative number.
Value silu_slope(const Value& x) {
  const Value size = minimum(absolute(x), 800);
  const Value e = exponential(-size);
  const Value numerator = select(compare("LT", x, 0), e * (e + 1 - size), e + 1 + size * e);
  return numerator / ((e + 1) * (e + 1));
}

/// |x|, at most where e^-u is 0, u = 2 sqrt(2 / pi) (|x| + 0.044715 |x|^3), and that exponential.
struct GeluTanh {
  explicit GeluTanh(const Value& x)
      : size(minimum(absolute(x), 23)),
        square(size * size),
        e(exponential(-(size * (square * (0.044715 * factor) + factor)))) {}

  static constexpr double factor = 2 * std::numbers::sqrt2 * std::numbers::inv_sqrtpi;

  Value size;
  Value square;
  Value e;
};

Value gelu_tanh(const Value& x) {
  const GeluTanh at(x);
  return select(compare("LT", x, 0), -(at.size * at.e), x) / (at.e + 1);
}

/// s + x s (1 - s) u' with s = sigmoid(u).
Value gelu_tanh_slope(const Value& x) {
  const GeluTanh at(x);
  constexpr double factor = GeluTanh::factor;
  const Value through = at.size * (at.square * (3 * 0.044715 * factor) + factor);
  const Value one = at.e + 1;
  const Value numerator = select(compare("LT", x, 0), at.e * (one - through), one + through * at.e);
  return numerator / (one * one);
}

}  // namespace

Values emit_transcendental(const Call& call) {
  const Value& x = call.in(ops::info(call.op).inputs == 2 ? 1 : 0);
  switch (call.op) {
    case Op::exp2:
      return {power_of_two(x)};
    case Op::log2:
      return {logarithm(x) * (1 / std::numbers::ln2)};
    case Op::log10:
      return {logarithm(x) * (1 / std::numbers::ln10)};
    case Op::asin:
      return {angle(x, root((1 - x) * (x + 1)))};
    case Op::acos:
      return {angle(root((1 - x) * (x + 1)), x)};
    case Op::atan:
      return {angle(x, one(x))};
    case Op::sinh:
      return {hyperbolic_sine(x)};
    case Op::cosh:
      return {hyperbolic_cosine(x)};
    case Op::asinh:
      return {inverse_hyperbolic_sine(x)};
    case Op::acosh:
      return {inverse_hyperbolic_cosine(x)};
    case Op::atanh:
      return {(log_of_one_plus(x) - log_of_one_plus(-x)) * 0.5};
    case Op::gelu_tanh:
      return {gelu_tanh(x)};
    case Op::gelu_tanh_gradient:
      return {cotangent_times(call.in(0), gelu_tanh_slope(x))};
    case Op::silu:
      return {silu(x)};
    default:
      return {cotangent_times(call.in(0), silu_slope(x))};
  }
}

}  // namespace ddx::stablehlo::detail
