// Movements, indexing, reductions and cumulative functions.

#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/ops/op.h"
#include "ddx/tensor.h"

#include "tests/conformance/second_order/second_order.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ddx::testing {
namespace {

using ops::Domain;
using ops::Op;

const ProgramArgument cube{{2, 3, 4}};

template <class Scalar>
Tensor<std::int32_t> indices(const Tensor<Scalar>& t, std::initializer_list<std::int32_t> values) {
  return Tensor<std::int32_t>(values, t.device());
}

}  // namespace

SecondOrderChecks structural_second_order() {
  return {
      {Op::full,
       DDX_SECOND_ORDER(any, full<Scalar>({2, 3}, t[{0, 1}] * t[{1, 1}], t.device()) * t)},
      {Op::reshape, DDX_SECOND_ORDER(any, square(reshape(t, {3, 2})) * reshape(t, {3, -1}))},
      {Op::broadcast_to, DDX_SECOND_ORDER(any, square(broadcast_to(t, {2, 2, 3})) +
                                                   square(sum_to(square(t), {1, 3})))},
      {Op::transpose,
       DDX_SECOND_ORDER(cube, square(transpose(t, {2, 0, 1})) * transpose(square(t), {2, 0, 1}))},
      {Op::slice,
       DDX_SECOND_ORDER(
           cube, square(slice(t, {.start = {0, 1, 0}, .stop = {2, 3, 4}, .step = {1, 1, 2}})))},
      {Op::reverse, DDX_SECOND_ORDER(cube, square(reverse(t, {1})) * t)},
      {Op::pad, DDX_SECOND_ORDER(any, square(pad(square(t), {1, 0}, {0, 2}, t[{0, 1}])))},
      {Op::update_slice,
       DDX_SECOND_ORDER(any, square(update_slice(square(t), slice(t, {.stop = {1, 2}}),
                                                 {.start = {1, 0}, .stop = {2, 2}})))},
      {Op::update_at, DDX_SECOND_ORDER(any, square(update_at(square(t), slice(t, {.stop = {1, 3}}),
                                                             reshape(indices(t, {1}), {}), 0)))},
      {Op::concatenate,
       DDX_SECOND_ORDER(any, square(concatenate(std::vector<Tensor<Scalar>>{t, square(t)}, 1)))},
      {Op::gather, DDX_SECOND_ORDER(cube, square(gather(square(t), indices(t, {2, 0, 2}), 1)))},
      {Op::take_along_axis,
       DDX_SECOND_ORDER(any, square(take_along_axis(
                                 square(t), reshape(indices(t, {2, 0, 0, 1, 1, 2}), {2, 3}), 1)))},
      {Op::sum, DDX_SECOND_ORDER(cube, square(sum(square(t), {.axes = {1}})) + square(sum(t)))},
      {Op::mean,
       DDX_SECOND_ORDER(cube, square(mean(square(t), {.axes = {0, -1}})) + square(mean(t)))},
      {Op::max, DDX_SECOND_ORDER(cube, square(max(square(t), {.axes = {1}})) + square(max(t)))},
      {Op::min, DDX_SECOND_ORDER(cube, square(min(square(t), {.axes = {1}})) + square(min(t)))},
      {Op::product, DDX_SECOND_ORDER(cube, product(t, {.axes = {1}}) + product(t))},
      {Op::log_sum_exp,
       DDX_SECOND_ORDER(cube, log_sum_exp(square(t), {.axes = {1}}) + log_sum_exp(t))},
      {Op::cumulative_sum,
       DDX_SECOND_ORDER(cube, square(cumulative_sum(square(t), {.axis = 1})) +
                                  square(cumulative_sum(t, {.axis = 0, .reverse = true})))},
      {Op::cumulative_product,
       DDX_SECOND_ORDER(cube, cumulative_product(t, {.axis = 1}) +
                                  cumulative_product(
                                      square(t), {.axis = 2, .exclusive = true, .reverse = true}))},
      {Op::cumulative_max, DDX_SECOND_ORDER(cube, square(cumulative_max(square(t), {.axis = 1})))},
      {Op::cumulative_log_sum_exp,
       DDX_SECOND_ORDER(cube, cumulative_log_sum_exp(square(t), {.axis = 1}))},
      {Op::linear_recurrence,
       DDX_SECOND_ORDER(any, linear_recurrence(sin(t), square(t), {.axis = 1}))},
  };
}

}  // namespace ddx::testing
