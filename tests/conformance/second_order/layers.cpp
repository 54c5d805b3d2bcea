// Products, convolutions, pooling, normalisation, softmax and attention.

#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/ops/op.h"
#include "ddx/tensor.h"

#include "tests/conformance/second_order/second_order.h"

#include <cstdint>
#include <source_location>
#include <utility>
#include <vector>

namespace ddx::testing {
namespace {

using ops::Domain;
using ops::Op;

const ProgramArgument rows{{4, 3}};
const ProgramArgument square_matrix{{3, 3}};
const ProgramArgument batch{{2, 3, 4}};
const ProgramArgument picture{{2, 5, 6, 2}};

/// A tensor of this shape whose elements depend on all of `t`.
template <class Scalar>
Tensor<Scalar> made_of(const Tensor<Scalar>& t, const Shape& shape, std::uint64_t seed) {
  return cast<Scalar>(random_tensor(shape, seed, t.device())) * mean(square(t)) + mean(t);
}

/// A quantised matrix of three columns.
template <class Scalar>
QuantizedMatrix thirds(const Tensor<Scalar>& t) {
  QuantizedMatrix w = quantized(Tensor<float>{{1, -2, 3}, {0.5F, 4, -1}}, 8);
  w.numbers = w.numbers.to(t.device());
  w.scales = w.scales.to(t.device());
  return w;
}

/// Attention times its tangent.
template <class Scalar>
Tensor<Scalar> tangent_product(const Tensor<Scalar>& t, const DotProductAttentionOptions& options) {
  const auto both =
      detail::attention_with_tangent(t, square(t), sin(t), options, std::source_location::current(),
                                     cos(t), t * Scalar(0.5), square(t));
  return both.y * both.tangent;
}

template <class Scalar>
Tensor<std::int32_t> labels(const Tensor<Scalar>& t) {
  return Tensor<std::int32_t>({0, 2, 1, 2}, t.device());
}

}  // namespace

SecondOrderChecks layer_second_order() {
  return {
      {Op::matmul, DDX_SECOND_ORDER(batch, matmul(t, square(t), {.transpose_right = true}) +
                                               matmul(sin(t), made_of(t, {4, 3}, 4)))},
      {Op::convolution,
       DDX_SECOND_ORDER(picture, conv2d(square(t), made_of(t, {3, 2, 2, 3}, 4),
                                        {.strides = {2, 1}, .padding = Padding::Same}))},
      {Op::convolution,
       DDX_SECOND_ORDER(picture, transposed_conv2d(square(t), made_of(t, {2, 2, 3, 2}, 4),
                                                   {.strides = {2, 1}}))},
      {Op::resample,
       DDX_SECOND_ORDER(
           picture,
           square(resize(t, {.height = 7, .width = 3, .interpolation = Interpolation::Bicubic})))},
      {Op::avg_pool,
       DDX_SECOND_ORDER(picture, square(avg_pool2d(square(t), {.size = {3, 2},
                                                               .strides = {2, 1},
                                                               .padding = Padding::Same})))},
      {Op::max_pool,
       DDX_SECOND_ORDER(picture, square(max_pool2d(square(t), {.size = {3, 2},
                                                               .strides = {1, 2},
                                                               .padding = Padding::Same})))},
      {Op::max_pool,
       DDX_SECOND_ORDER(picture, square(max_pool2d(t, {.size = {2, 3},
                                                       .padding = Padding::amounts(1, 0, 1, 2)})))},
      {Op::grey_dilation,
       DDX_SECOND_ORDER(picture, square(dilation2d(t, made_of(t, {3, 2, 2}, 4),
                                                   {.padding = Padding::amounts(1, 0, 2, 1),
                                                    .dilations = {2, 3}})))},
      {Op::batch_norm_training,
       DDX_SECOND_ORDER(
           picture, batch_norm_training(t, made_of(t, {2}, 4), made_of(t, {2}, 5), {.epsilon = 0.1})
                        .output)},
      {Op::batch_norm_inference,
       DDX_SECOND_ORDER(
           rows, batch_norm_inference(t, made_of(t, {3}, 4), made_of(t, {3}, 5), made_of(t, {3}, 6),
                                      square(made_of(t, {3}, 7)) + Scalar{1}, {.epsilon = 0.1}))},
      {Op::layer_norm, DDX_SECOND_ORDER(batch, layer_norm(t, made_of(t, {4}, 4), made_of(t, {4}, 5),
                                                          {.epsilon = 0.1}))},
      {Op::softmax, DDX_SECOND_ORDER(batch, softmax(t) * softmax(square(t), 1))},
      {Op::log_softmax, DDX_SECOND_ORDER(batch, log_softmax(square(t)) * log_softmax(t, 1))},
      {Op::softmax_cross_entropy,
       DDX_SECOND_ORDER(rows, softmax_cross_entropy_per_row(square(t), labels(t)) +
                                  softmax_cross_entropy(t, labels(t)))},
      {Op::attention,
       DDX_SECOND_ORDER(batch, attention(t, square(t), sin(t), {.scale = 0.7}) +
                                   attention(sin(t), t, square(t), {.causal = true}))},
      {Op::quantized_matmul,
       DDX_SECOND_ORDER(rows, square(quantized_matmul(square(t), thirds(t))))},
      {Op::attention_over_range,
       DDX_SECOND_ORDER(
           batch, attention_over_range(t, square(t), sin(t),
                                       Tensor<std::int32_t>({0, 2}, t.device()), {.scale = 0.7}))},
      {Op::attention_with_tangent,
       DDX_SECOND_ORDER(
           batch, tangent_product(t, {.scale = 0.7}) + tangent_product(sin(t), {.causal = true}))},
  };
}

}  // namespace ddx::testing
