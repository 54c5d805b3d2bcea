// Functions of two tensors, or of a tensor and a number, element by element.

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

SecondOrderChecks binary_second_order() {
  return {
      {Op::add, DDX_SECOND_ORDER(any, square(t) + slice(t, {.stop = {1, 3}}) * t +
                                          (t * t + Scalar{2}) + (t[{0, 1}] + square(t)))},
      {Op::sub, DDX_SECOND_ORDER(any, square(t) - slice(t, {.stop = {1, 3}}) * t -
                                          (Scalar{2} - t * t) - (t[{0, 1}] - square(t)))},
      {Op::mul,
       DDX_SECOND_ORDER(any, t * sin(t) * slice(t, {.stop = {1, 3}}) + t * t[{0, 1}] * Scalar{3})},
      {Op::div, DDX_SECOND_ORDER(away, sin(t) / t / slice(t, {.stop = {1, 3}}) + t / t[{0, 1}] +
                                           t[{1, 1}] / t + Scalar{2} / t + t / Scalar{3})},
      {Op::pow,
       DDX_SECOND_ORDER(positive, pow(t, sin(t)) + pow(t, Scalar{1.5}) + pow(Scalar{1.5}, t))},
      {Op::pow, DDX_SECOND_ORDER(away, pow(t, 3) + pow(t, 2))},
      {Op::maximum, DDX_SECOND_ORDER(away, maximum(square(t), t) * t)},
      {Op::minimum, DDX_SECOND_ORDER(away, minimum(square(t), t) * t)},
      {Op::squared_difference,
       DDX_SECOND_ORDER(any, squared_difference(sin(t), slice(t, {.stop = {1, 3}})))},
      {Op::remainder, DDX_SECOND_ORDER(away, remainder(t, sin(t) + Scalar{3}) * t)},
      {Op::floor_divide, DDX_SECOND_ORDER(away, floor_divide(t, sin(t) + Scalar{3}) * square(t))},
      {Op::fmod, DDX_SECOND_ORDER(away, fmod(t, sin(t) + Scalar{3}) * t)},
      {Op::atan2, DDX_SECOND_ORDER(away, atan2(t, cos(t)))},
      {Op::hypot, DDX_SECOND_ORDER(away, hypot(t, cos(t)))},
      {Op::cotangent_product, DDX_SECOND_ORDER(any, detail::cotangent_product(square(t), sin(t)) +
                                                        detail::mutual_product(t, cos(t)))},
      {Op::cotangent_quotient, DDX_SECOND_ORDER(away, detail::cotangent_quotient(sin(t), t))},
      {Op::add_scaled, DDX_SECOND_ORDER(any, add_scaled(sin(t), Scalar{2}, square(t)) +
                                                 add_scaled(t, t[{0, 0}], t))},
      {Op::select, DDX_SECOND_ORDER(any, select(greater(t, Scalar{0}), square(t), sin(t) * t))},
  };
}

}  // namespace ddx::testing
