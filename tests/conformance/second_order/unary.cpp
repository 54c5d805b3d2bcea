// Functions applied to each element.

#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/ops/op.h"
#include "ddx/tensor.h"

#include "tests/conformance/second_order/second_order.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ddx::testing {

using ops::Op;

SecondOrderChecks unary_second_order() {
  return {
      {Op::neg, DDX_SECOND_ORDER(any, -t * t)},
      {Op::abs, DDX_SECOND_ORDER(away, abs(t) * t)},
      {Op::sign, DDX_SECOND_ORDER(away, sign(t) * square(t))},
      {Op::square, DDX_SECOND_ORDER(any, square(t))},
      {Op::relu, DDX_SECOND_ORDER(away, relu(t) * t)},
      {Op::reciprocal, DDX_SECOND_ORDER(away, reciprocal(t))},
      {Op::exp, DDX_SECOND_ORDER(any, exp(t))},
      {Op::expm1, DDX_SECOND_ORDER(any, expm1(t))},
      {Op::log, DDX_SECOND_ORDER(positive, log(t))},
      {Op::log1p, DDX_SECOND_ORDER(positive, log1p(t))},
      {Op::sqrt, DDX_SECOND_ORDER(positive, sqrt(t))},
      {Op::rsqrt, DDX_SECOND_ORDER(positive, rsqrt(t))},
      {Op::sin, DDX_SECOND_ORDER(any, sin(t))},
      {Op::cos, DDX_SECOND_ORDER(any, cos(t))},
      {Op::tanh, DDX_SECOND_ORDER(any, tanh(t))},
      {Op::sigmoid, DDX_SECOND_ORDER(any, sigmoid(t))},
      {Op::floor, DDX_SECOND_ORDER(between, floor(t) * square(t))},
      {Op::ceil, DDX_SECOND_ORDER(between, ceil(t) * square(t))},
      {Op::round, DDX_SECOND_ORDER(between, round(t) * square(t))},
      {Op::exp2, DDX_SECOND_ORDER(any, exp2(t))},
      {Op::log2, DDX_SECOND_ORDER(positive, log2(t))},
      {Op::log10, DDX_SECOND_ORDER(positive, log10(t))},
      {Op::tan, DDX_SECOND_ORDER(inside, tan(t))},
      {Op::asin, DDX_SECOND_ORDER(inside, asin(t))},
      {Op::acos, DDX_SECOND_ORDER(inside, acos(t))},
      {Op::atan, DDX_SECOND_ORDER(any, atan(t))},
      {Op::sinh, DDX_SECOND_ORDER(any, sinh(t))},
      {Op::cosh, DDX_SECOND_ORDER(any, cosh(t))},
      {Op::asinh, DDX_SECOND_ORDER(any, asinh(t))},
      {Op::acosh, DDX_SECOND_ORDER(above, acosh(t))},
      {Op::atanh, DDX_SECOND_ORDER(inside, atanh(t))},
      {Op::erf, DDX_SECOND_ORDER(any, erf(t))},
      {Op::erfc, DDX_SECOND_ORDER(any, erfc(t))},
      {Op::lgamma, DDX_SECOND_ORDER(above, lgamma(t))},
      {Op::digamma, DDX_SECOND_ORDER(above, digamma(t))},
      {Op::gelu, DDX_SECOND_ORDER(any, gelu(t))},
      {Op::gelu_tanh, DDX_SECOND_ORDER(any, gelu_tanh(t))},
      {Op::silu, DDX_SECOND_ORDER(any, silu(t))},
      {Op::polygamma, DDX_SECOND_ORDER(above, polygamma(2, t))},
      {Op::cast, DDX_SECOND_ORDER(
                     any, square(cast<Scalar>(t)) + cast<Scalar>(square(cast<float>(t)) * 0.0F))},
  };
}

}  // namespace ddx::testing
