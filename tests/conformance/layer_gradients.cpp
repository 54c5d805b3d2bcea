#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
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

/// A window over arrays of that shape, and its filter.
struct Windowed {
  Shape x;
  Shape filter;
  detail::WindowMotion motion;
};

std::vector<Windowed> convolutions() {
  const auto motion = [](const auto& options) { return detail::motion_of("here", options); };
  return {{{2, 5, 6, 2}, {3, 2, 2, 3}, motion(Conv2DOptions{})},
          {{2, 5, 6, 2}, {3, 2, 2, 3}, motion(Conv2DOptions{.padding = Padding::Same})},
          {{2, 5, 6, 2},
           {3, 2, 2, 3},
           motion(Conv2DOptions{.strides = {2, 1}, .padding = Padding::Same})},
          {{2, 5, 6, 2},
           {3, 2, 2, 3},
           motion(Conv2DOptions{.strides = {2, 2}, .padding = Padding::amounts(1, 0, 2, 1)})},
          {{2, 5, 6, 4},
           {2, 3, 2, 6},
           motion(Conv2DOptions{.padding = Padding::Same, .dilations = {3, 2}, .groups = 2})},
          {{2, 7, 4}, {3, 2, 4}, motion(Conv1DOptions{.strides = {2}, .groups = 2})},
          {{2, 3, 4, 3, 2},
           {2, 2, 3, 2, 3},
           motion(Conv3DOptions{.strides = {1, 2, 1}, .padding = Padding::Same})}};
}

/// The convolution, and its two gradients as functions of their own.
void check_convolution(Saves saves, Device device) {
  for (const auto& [shape, filter_shape, motion] : convolutions()) {
    SCOPED_TRACE(to_string(shape) + " with " + to_string(filter_shape));
    const Doubles image = random_tensor(shape, 1, device);
    const Doubles filter = random_tensor(filter_shape, 2, device);
    const auto value_of = [&](const Doubles& x, const Doubles& w) {
      return detail::convolution(x, w, motion, here);
    };
    expect_gradient(
        saves, value_of,
        [&](const Doubles& x, const Doubles& w) {
          return detail::convolution_vjp(x, w, motion, here);
        },
        image, filter);
    const Doubles dy = random_tensor(value_of(image, filter).shape(), 3, device);
    expect_gradient(
        saves,
        [&](const Doubles& y, const Doubles& w) {
          return detail::convolution_input_gradient(y, w, shape, motion, here);
        },
        [&](const Doubles& y, const Doubles& w) {
          return detail::convolution_input_gradient_vjp(y, w, shape, motion, here);
        },
        dy, filter);
    expect_gradient(
        saves,
        [&](const Doubles& x, const Doubles& y) {
          return detail::convolution_filter_gradient(x, y, filter_shape, motion);
        },
        [&](const Doubles& x, const Doubles& y) {
          return detail::convolution_filter_gradient_vjp(x, y, filter_shape, motion);
        },
        image, dy);
  }
}

void check_grey_dilation(Saves saves, Device device) {
  for (const MorphologyOptions& options :
       {MorphologyOptions{}, MorphologyOptions{.strides = {2, 1}, .padding = Padding::Same},
        MorphologyOptions{.padding = Padding::amounts(1, 0, 2, 1), .dilations = {2, 3}}}) {
    const auto motion = detail::motion_of("here", options);
    expect_gradient(
        saves,
        [&](const Doubles& x, const Doubles& w) {
          return detail::grey_dilation(x, w, motion, here);
        },
        [&](const Doubles& x, const Doubles& w) {
          return detail::grey_dilation_vjp(x, w, motion, here);
        },
        random_tensor({2, 5, 6, 2}, 1, device), random_tensor({3, 2, 2}, 2, device));
  }
}

void check_resample(Saves saves, Device device) {
  const ResizeOptions options{.height = 7, .width = 3, .interpolation = Interpolation::Bicubic};
  const auto taps = detail::resize_taps("here", {2, 5, 6, 2}, options, DType::f64, device, here);
  expect_gradient(
      saves, [&](const Doubles& x) { return detail::resample(x, taps.rows, 1); },
      [&](const Doubles& x) { return detail::resample_vjp(x, taps.rows, 1); },
      random_tensor({2, 5, 6, 2}, 1, device));
  expect_gradient(
      saves,
      [&](const Doubles& dy) {
        return detail::resample_gradient(dy, taps.columns, {2, 5, 6, 2}, 2);
      },
      [&](const Doubles& dy) {
        return detail::resample_gradient_vjp(dy, taps.columns, {2, 5, 6, 2}, 2);
      },
      random_tensor({2, 5, 3, 2}, 1, device));
}

/// A pooling on several windows.
template <class ValueOf, class VjpOf>
GradientCheck pooling(ValueOf value_of, VjpOf vjp_of) {
  return [=](Saves saves, Device device) {
    const auto check = [&](const Shape& shape, const auto& options) {
      const auto motion = detail::motion_of("here", options);
      expect_gradient(
          saves, [&](const Doubles& x) { return value_of(x, motion, here); },
          [&](const Doubles& x) { return vjp_of(x, motion, here); },
          random_tensor(shape, 1, device));
    };
    for (const Pool2DOptions& options :
         {Pool2DOptions{}, Pool2DOptions{.size = {3, 2}, .strides = {1, 2}},
          Pool2DOptions{.size = {3, 3}, .strides = {2, 2}, .padding = Padding::Same},
          Pool2DOptions{.size = {2, 3}, .padding = Padding::amounts(1, 0, 1, 2)}}) {
      check({2, 5, 6, 2}, options);
    }
    check({2, 7, 3}, Pool1DOptions{.size = {3}, .strides = {2}, .padding = Padding::Same});
    check({2, 3, 4, 5, 2}, Pool3DOptions{.size = {2, 2, 3}, .strides = {1, 2, 2}});
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

void check_attention(Saves saves, Device device) {
  const auto check = [&](const Shape& query, const Shape& key, const Shape& value,
                         const DotProductAttentionOptions& options) {
    expect_gradient(
        saves,
        [&](const Doubles& q, const Doubles& k, const Doubles& v) {
          return attention(q, k, v, options);
        },
        [&](const Doubles& q, const Doubles& k, const Doubles& v) {
          return attention_vjp(q, k, v, options, here);
        },
        random_tensor(query, 1, device), random_tensor(key, 2, device),
        random_tensor(value, 3, device));
  };
  for (const bool causal : {false, true}) {
    check({1, 1}, {1, 1}, {1, 2}, {.causal = causal});
    check({3, 4}, {5, 4}, {5, 2}, {.scale = 0.7, .causal = causal});
    check({5, 2}, {3, 2}, {3, 4}, {.causal = causal});
    check({2, 3, 6, 3}, {2, 3, 6, 3}, {2, 3, 6, 3}, {.causal = causal});
  }
}

void check_quantized_matmul(Saves saves, Device device) {
  for (const int bits : {8, 4}) {
    QuantizedMatrix w = quantized(random_normal<float>(RandomKey(7), {3, 40}), bits);
    w.numbers = w.numbers.to(device);
    w.scales = w.scales.to(device);
    expect_gradient(
        saves,
        [&](const Doubles& x) {
          return detail::quantized_product(x, w.numbers, w.scales, w.form, here);
        },
        [&](const Doubles& x) {
          auto made = detail::quantized_product_vjp(x, w.numbers, w.scales, w.form, here);
          return vjp(made.value, [made](const Doubles& c) {
            return std::get<0>(made.pullback(c, Wanted<2>{true, false}));
          });
        },
        random_tensor({2, 40}, 1, device));
  }
}

void check_attention_over_range(Saves saves, Device device) {
  const auto check = [&](const Shape& query, const Shape& key, const Shape& value,
                         std::initializer_list<std::int32_t> ends,
                         const DotProductAttentionOptions& options) {
    const Tensor<std::int32_t> range(ends, device);
    expect_gradient(
        saves,
        [&](const Doubles& q, const Doubles& k, const Doubles& v) {
          return attention_over_range(q, k, v, range, options);
        },
        [&](const Doubles& q, const Doubles& k, const Doubles& v) {
          return attention_over_range_vjp(q, k, v, range, options, here);
        },
        random_tensor(query, 1, device), random_tensor(key, 2, device),
        random_tensor(value, 3, device));
  };
  check({1, 1}, {1, 1}, {1, 2}, {0, 1}, {});
  check({3, 4}, {5, 4}, {5, 2}, {1, 4}, {.scale = 0.7});
  check({3, 4}, {5, 4}, {5, 2}, {2, 2}, {});
  check({2, 3, 1, 3}, {2, 3, 6, 3}, {2, 3, 6, 3}, {0, 5}, {});
}

/// Sums of attention and its tangent with these factors.
void check_attention_with_tangent(Saves saves, Device device, double of_y, double of_tangent) {
  using Both = detail::AttentionWithTangent<double>;
  const auto check = [&](const Shape& query, const Shape& key, const Shape& value,
                         const DotProductAttentionOptions& options) {
    const auto joined = [=](const Both& both) { return both.y * of_y + both.tangent * of_tangent; };
    expect_gradient(
        saves,
        [&](const Doubles& q, const Doubles& k, const Doubles& v, const Doubles& dq,
            const Doubles& dk, const Doubles& dv) {
          return joined(detail::attention_with_tangent(q, k, v, options, here, dq, dk, dv));
        },
        [&](const Doubles& q, const Doubles& k, const Doubles& v, const Doubles& dq,
            const Doubles& dk, const Doubles& dv) {
          auto [both, pullback] =
              detail::attention_with_tangent_vjp(q, k, v, options, here, dq, dk, dv);
          return vjp(joined(both), [=](const Doubles& c) {
            Both::TangentVector cotangents;
            if (of_y != 0 && !c.is_symbolic_zero()) {
              cotangents.y = c * of_y;
            }
            if (of_tangent != 0 && !c.is_symbolic_zero()) {
              cotangents.tangent = c * of_tangent;
            }
            return pullback(cotangents);
          });
        },
        random_tensor(query, 1, device), random_tensor(key, 2, device),
        random_tensor(value, 3, device), random_tensor(query, 4, device),
        random_tensor(key, 5, device), random_tensor(value, 6, device));
  };
  for (const bool causal : {false, true}) {
    check({1, 1}, {1, 1}, {1, 2}, {.causal = causal});
    check({3, 4}, {5, 4}, {5, 2}, {.scale = 0.7, .causal = causal});
    check({5, 2}, {3, 2}, {3, 4}, {.causal = causal});
    check({2, 3, 6, 3}, {2, 3, 6, 3}, {2, 3, 6, 3}, {.scale = -0.4, .causal = causal});
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
      {Op::convolution, check_convolution},
      {Op::resample, check_resample},
      {Op::avg_pool, pooling(detail::avg_pool<double>, detail::avg_pool_vjp<double>)},
      {Op::max_pool, pooling(detail::max_pool<double>, detail::max_pool_vjp<double>)},
      {Op::grey_dilation, check_grey_dilation},
      {Op::batch_norm_training, check_batch_norm_training},
      {Op::batch_norm_inference, check_batch_norm_inference},
      {Op::layer_norm, check_layer_norm},
      {Op::attention, check_attention},
      {Op::quantized_matmul, check_quantized_matmul},
      {Op::attention_over_range, check_attention_over_range},
      {Op::attention_with_tangent,
       [](Saves saves, Device device) {
         check_attention_with_tangent(saves, device, 1, 0);
         check_attention_with_tangent(saves, device, 0, 1);
         check_attention_with_tangent(saves, device, 0.6, 1.5);
       }},
      {Op::softmax, softmax_like(softmax<double>, softmax_vjp<double>)},
      {Op::log_softmax, softmax_like(log_softmax<double>, log_softmax_vjp<double>)},
      {Op::softmax_cross_entropy, check_cross_entropy},
  };
}

}  // namespace ddx::testing
