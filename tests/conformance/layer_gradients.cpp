#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/ops/op.h"
#include "ddx/tensor.h"

#include "tests/conformance/gradient_check.h"
#include "tests/conformance/gradients.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ddx::testing {
namespace {

using ops::Op;
using ops::Saves;

void check_matmul(Saves saves, Device device) {
  struct Operands {
    Shape a, b;
    MatmulOptions options;
  };
  for (const Operands& o :
       {Operands{{3, 4}, {4, 5}, {}}, Operands{{4, 3}, {4, 5}, {.transpose_left = true}},
        Operands{{3, 4}, {5, 4}, {.transpose_right = true}},
        Operands{{4, 3}, {5, 4}, {.transpose_left = true, .transpose_right = true}},
        Operands{{2, 3, 4}, {2, 4, 5}, {}},
        Operands{{2, 4, 3}, {2, 5, 4}, {.transpose_left = true, .transpose_right = true}},
        Operands{{2, 3, 4}, {4, 5}, {}}, Operands{{2, 3, 4}, {5, 4}, {.transpose_right = true}},
        Operands{{2, 4, 3}, {4, 5}, {.transpose_left = true}}, Operands{{3, 4}, {2, 4, 5}, {}},
        Operands{{4, 3}, {2, 5, 4}, {.transpose_left = true, .transpose_right = true}}}) {
    SCOPED_TRACE(to_string(o.a) + " with " + to_string(o.b));
    expect_gradient(
        saves, [&](const Doubles& a, const Doubles& b) { return matmul(a, b, o.options); },
        [&](const Doubles& a, const Doubles& b) { return matmul_vjp(a, b, o.options, here); },
        random_tensor(o.a, 1, device), random_tensor(o.b, 2, device));
  }
}

void check_conv2d(Saves saves, Device device) {
  for (const Conv2DOptions& options :
       {Conv2DOptions{}, Conv2DOptions{.padding = Padding::Same},
        Conv2DOptions{.strides = {2, 1}, .padding = Padding::Same},
        Conv2DOptions{.strides = {2, 2}, .padding = Padding::amounts(1, 0, 2, 1)}}) {
    expect_gradient(
        saves, [&](const Doubles& x, const Doubles& w) { return conv2d(x, w, options); },
        [&](const Doubles& x, const Doubles& w) { return conv2d_vjp(x, w, options, here); },
        random_tensor({2, 5, 6, 2}, 1, device), random_tensor({3, 2, 2, 3}, 2, device));
  }
}

/// A pooling on several windows.
template <class ValueOf, class VjpOf>
GradientCheck pooling(ValueOf value_of, VjpOf vjp_of) {
  return [=](Saves saves, Device device) {
    for (const Pool2DOptions& options :
         {Pool2DOptions{}, Pool2DOptions{.size = {3, 2}, .strides = {1, 2}},
          Pool2DOptions{.size = {3, 3}, .strides = {2, 2}, .padding = Padding::Same},
          Pool2DOptions{.size = {2, 3}, .padding = Padding::amounts(1, 0, 1, 2)}}) {
      expect_gradient(
          saves, [&](const Doubles& x) { return value_of(x, options, here); },
          [&](const Doubles& x) { return vjp_of(x, options, here); },
          random_tensor({2, 5, 6, 2}, 1, device));
    }
  };
}

void check_batch_norm_training(Saves saves, Device device) {
  // The pullback takes the tangent of the whole result; only its output has one.
  const auto adapt = [](const Doubles& x, const Doubles& scale, const Doubles& offset) {
    auto [value, pullback] = batch_norm_training_vjp(x, scale, offset, {.epsilon = 0.1}, here);
    return vjp(value.output, [pullback](const Doubles& dy) {
      BatchNormalized<double>::TangentVector tangent;
      tangent.output = dy;
      return pullback(tangent);
    });
  };
  for (const Shape& shape : {Shape{5, 3}, Shape{2, 3, 2, 4}}) {
    const Shape channels{shape[shape.rank() - 1]};
    expect_gradient(
        saves,
        [](const Doubles& x, const Doubles& scale, const Doubles& offset) {
          return batch_norm_training(x, scale, offset, {.epsilon = 0.1}).output;
        },
        adapt, random_tensor(shape, 1, device), random_tensor(channels, 2, device),
        random_tensor(channels, 3, device));
  }
}

void check_batch_norm_inference(Saves saves, Device device) {
  expect_gradient(
      saves,
      [](const Doubles& x, const Doubles& scale, const Doubles& offset, const Doubles& mean,
         const Doubles& variance) {
        return batch_norm_inference(x, scale, offset, mean, variance, {.epsilon = 0.1});
      },
      [](const Doubles& x, const Doubles& scale, const Doubles& offset, const Doubles& mean,
         const Doubles& variance) {
        return batch_norm_inference_vjp(x, scale, offset, mean, variance, {.epsilon = 0.1}, here);
      },
      random_tensor({4, 3}, 1, device), random_tensor({3}, 2, device),
      random_tensor({3}, 3, device), random_tensor({3}, 4, device),
      random_tensor({3}, 5, device, ops::Domain::Positive));
}

void check_layer_norm(Saves saves, Device device) {
  for (const Shape& shape : {Shape{4}, Shape{5, 3}, Shape{2, 3, 7}}) {
    const Shape features{shape[shape.rank() - 1]};
    expect_gradient(
        saves,
        [](const Doubles& x, const Doubles& scale, const Doubles& offset) {
          return layer_norm(x, scale, offset, {.epsilon = 0.1});
        },
        [](const Doubles& x, const Doubles& scale, const Doubles& offset) {
          return layer_norm_vjp(x, scale, offset, {.epsilon = 0.1}, here);
        },
        random_tensor(shape, 1, device), random_tensor(features, 2, device),
        random_tensor(features, 3, device));
  }
}

/// softmax or log_softmax along several axes.
template <class ValueOf, class VjpOf>
GradientCheck softmax_like(ValueOf value_of, VjpOf vjp_of) {
  return [=](Saves saves, Device device) {
    for (const std::int64_t axis : {0, 1, -1}) {
      expect_gradient(
          saves, [&](const Doubles& x) { return value_of(x, axis, here); },
          [&](const Doubles& x) { return vjp_of(x, axis, here); },
          random_tensor({2, 3, 5}, 1, device));
    }
  };
}

void check_cross_entropy(Saves saves, Device device) {
  const Tensor<std::int32_t> labels({4}, {0, 2, 1, 2}, device);
  expect_gradient(
      saves, [&](const Doubles& x) { return softmax_cross_entropy(x, labels); },
      [&](const Doubles& x) { return softmax_cross_entropy_vjp(x, labels, here); },
      random_tensor({4, 3}, 1, device));
  expect_gradient(
      saves, [&](const Doubles& x) { return softmax_cross_entropy_per_row(x, labels); },
      [&](const Doubles& x) { return softmax_cross_entropy_per_row_vjp(x, labels, here); },
      random_tensor({4, 3}, 1, device));
}

}  // namespace

std::map<Op, GradientCheck> layer_gradients() {
  return {
      {Op::matmul, check_matmul},
      {Op::conv2d, check_conv2d},
      {Op::avg_pool2d, pooling(avg_pool2d<double>, avg_pool2d_vjp<double>)},
      {Op::max_pool2d, pooling(max_pool2d<double>, max_pool2d_vjp<double>)},
      {Op::batch_norm_training, check_batch_norm_training},
      {Op::batch_norm_inference, check_batch_norm_inference},
      {Op::layer_norm, check_layer_norm},
      {Op::softmax, softmax_like(softmax<double>, softmax_vjp<double>)},
      {Op::log_softmax, softmax_like(log_softmax<double>, log_softmax_vjp<double>)},
      {Op::softmax_cross_entropy, check_cross_entropy},
  };
}

}  // namespace ddx::testing
