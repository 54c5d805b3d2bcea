// Operations of layers: products, convolutions, pooling, normalisation, losses.

#include "ddx/core/shape.h"
#include "ddx/ops/op.h"
#include "ddx/tensor.h"
#include "ddx/tensor/detail/operations.h"

#include "operand.h"
#include "operation.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ddx::bench {
namespace {

using Floats = Tensor<float>;

void add_product(std::vector<Operation>& all, const std::string& name, const Shape& a,
                 const Shape& b, const MatmulOptions& options) {
  const std::int64_t columns = b[b.rank() - (options.transpose_right ? 2 : 1)];
  all.push_back(operation(name, {signed_numbers(a), signed_numbers(b)},
                          2.0 * static_cast<double>(a.count() * columns), Unit::GigaflopsPerSecond,
                          [=](Operands& o) { return matmul(o[0], o[1], options); }));
}

void add_products(std::vector<Operation>& all) {
  add_product(all, "matmul", {16, 16}, {16, 16}, {});
  add_product(all, "matmul", {128, 84}, {84, 10}, {});
  add_product(all, "matmul", {128, 400}, {400, 120}, {});
  add_product(all, "matmul", {128, 784}, {784, 512}, {});
  add_product(all, "matmul", {512, 512}, {512, 512}, {});
  add_product(all, "matmul", {1024, 1024}, {1024, 1024}, {});
  add_product(all, "matmul", {32, 64, 64}, {32, 64, 64}, {});
  add_product(all, "matmul_left_transposed", {128, 784}, {128, 512}, {.transpose_left = true});
  add_product(all, "matmul_right_transposed", {128, 512}, {784, 512}, {.transpose_right = true});
  add_product(all, "matmul_right_transposed", {8, 128, 64}, {8, 128, 64},
              {.transpose_right = true});
}

/// Attention of [samples, heads, positions, depth], and with its gradients.
void add_attention(std::vector<Operation>& all, const Shape& x) {
  for (const bool causal : {false, true}) {
    const DotProductAttentionOptions options{.causal = causal};
    const std::string name = causal ? "attention_causal" : "attention";
    const double product =
        2.0 * static_cast<double>(x.count()) * static_cast<double>(x[2]) / (causal ? 2 : 1);
    const std::vector<Operand> operands(3, signed_numbers(x));
    all.push_back(operation(name, operands, 2 * product, Unit::GigaflopsPerSecond,
                            [=](Operands& o) { return attention(o[0], o[1], o[2], options); }));
    // The scores again, those of the cotangents, and three sums.
    all.push_back(operation(
        name + "_and_gradient", std::vector<Operand>(4, signed_numbers(x)), 7 * product,
        Unit::GigaflopsPerSecond, [=](Operands& o) {
          const auto [y, sums] =
              detail::attention(o[0].array(), o[1].array(), o[2].array(), options, {});
          return Floats(detail::attention_gradient(o[0].array(), o[1].array(), o[2].array(), y,
                                                   sums, o[3].array(), options)[0]);
        }));
  }
}

/// A convolution and its two gradients.
void add_convolution(std::vector<Operation>& all, const Shape& x, const Shape& filter,
                     const Shape& y, const std::string& padding) {
  const Conv2DOptions options{.padding = padding == "same" ? Padding::Same : Padding::Valid};
  const double work = 2.0 * static_cast<double>(y.count() * filter[0] * filter[1] * filter[2]);
  const auto add = [&](const std::string& name, const Shape& a, const Shape& b, auto f) {
    all.push_back(operation(name + "_" + padding, {signed_numbers(a), signed_numbers(b)}, work,
                            Unit::GigaflopsPerSecond, f));
  };
  add("conv2d", x, filter, [=](Operands& o) { return conv2d(o[0], o[1], options); });
  const detail::WindowMotion motion = detail::motion_of("conv2d", options);
  add("conv2d_input_gradient", y, filter,
      [=](Operands& o) { return detail::convolution_input_gradient(o[0], o[1], x, motion, {}); });
  add("conv2d_filter_gradient", x, y,
      [=](Operands& o) { return detail::convolution_filter_gradient(o[0], o[1], filter, motion); });
}

void add_pooling(std::vector<Operation>& all, const Shape& x) {
  const Shape y{x[0], x[1] / 2, x[2] / 2, x[3]};
  const auto count = static_cast<double>(x.count());
  const Pool2DOptions window{.size = {2, 2}};
  all.push_back(moving("avg_pool2d", {signed_numbers(x)}, count / 4,
                       [=](Operands& o) { return avg_pool2d(o[0], window); }));
  all.push_back(moving("max_pool2d", {signed_numbers(x)}, count / 4,
                       [=](Operands& o) { return max_pool2d(o[0], window); }));
  all.push_back(moving("avg_pool2d_gradient", {signed_numbers(y)}, count, [=](Operands& o) {
    return Floats(
        detail::avg_pool_gradient(o[0].array(), x, detail::motion_of("avg_pool2d", window)));
  }));
}

void add_batch_norm(std::vector<Operation>& all, const Shape& x) {
  const Shape c{x[3]};
  const auto count = static_cast<double>(x.count());
  all.push_back(moving("batch_norm_training", {signed_numbers(x), Operand{c}, Operand{c}}, count,
                       [](Operands& o) { return batch_norm_training(o[0], o[1], o[2]).output; }));
  all.push_back(moving(
      "batch_norm_inference", {signed_numbers(x), Operand{c}, Operand{c}, Operand{c}, Operand{c}},
      count, [](Operands& o) { return batch_norm_inference(o[0], o[1], o[2], o[3], o[4]); }));
  all.push_back(
      moving("batch_norm_training_gradient", {signed_numbers(x), Operand{c}, signed_numbers(x)},
             count, [moments = BatchNormalized<float>()](Operands& o) mutable {
               if (moments.mean.is_symbolic_zero()) {
                 moments = batch_norm_training(o[0], o[1], o[1]);
               }
               return Floats(detail::batch_norm_training_gradient(
                   o[0].array(), o[1].array(), moments.mean.array(), moments.variance.array(),
                   o[2].array(), BatchNormOptions().epsilon)[0]);
             }));
}

void add_rows(std::vector<Operation>& all, const Shape& x) {
  const auto count = static_cast<double>(x.count());
  const Shape features{x[1]};
  all.push_back(moving("layer_norm", {signed_numbers(x), Operand{features}, Operand{features}},
                       count, [](Operands& o) { return layer_norm(o[0], o[1], o[2]); }));
  all.push_back(moving(
      "layer_norm_gradient", {signed_numbers(x), Operand{features}, signed_numbers(x)}, count,
      [mean = Floats(), variance = Floats()](Operands& o) mutable {
        const double epsilon = LayerNormOptions().epsilon;
        if (mean.is_symbolic_zero()) {
          auto moments = detail::layer_norm(o[0].array(), o[1].array(), o[1].array(), epsilon, {});
          mean = Floats(std::move(moments[1]));
          variance = Floats(std::move(moments[2]));
        }
        return Floats(detail::layer_norm_gradient(o[0].array(), o[1].array(), mean.array(),
                                                  variance.array(), o[2].array(), epsilon)[0]);
      }));
  all.push_back(moving("softmax_gradient", {Operand{x}, signed_numbers(x)}, count, [](Operands& o) {
    return Floats(
        detail::softmax_gradient(ops::Op::softmax_gradient, o[0].array(), o[1].array(), -1));
  }));
  all.push_back(moving("gelu_gradient", {Operand{x}, signed_numbers(x)}, count, [](Operands& o) {
    return Floats(detail::binary(ops::Op::gelu_gradient, o[0].array(), o[1].array(), {}));
  }));
  const Operand labels = indices({x[0]}, x[1]);
  all.push_back(moving("cross_entropy", {signed_numbers(x), labels}, 0, [](Operands& o) {
    return softmax_cross_entropy_per_row(o[0], o.index(1));
  }));
  all.push_back(moving("cross_entropy_gradient", {signed_numbers(x), labels, Operand{{x[0]}}},
                       count, [](Operands& o) {
                         return Floats(detail::softmax_cross_entropy_gradient(
                             o[0].array(), o.index(1).array(), o[2].array(), {}));
                       }));
}

}  // namespace

void add_layers(std::vector<Operation>& all) {
  add_products(all);
  add_convolution(all, {128, 28, 28, 1}, {5, 5, 1, 6}, {128, 28, 28, 6}, "same");
  add_convolution(all, {128, 14, 14, 6}, {5, 5, 6, 16}, {128, 10, 10, 16}, "valid");
  add_convolution(all, {16, 16, 16, 32}, {3, 3, 32, 32}, {16, 16, 16, 32}, "same");
  add_convolution(all, {8, 56, 56, 64}, {3, 3, 64, 64}, {8, 56, 56, 64}, "same");
  for (const Shape& x : {Shape{1, 8, 8, 4}, Shape{128, 28, 28, 6}, Shape{16, 56, 56, 64}}) {
    add_pooling(all, x);
    add_batch_norm(all, x);
  }
  for (const Shape& x : {Shape{16, 16}, Shape{128, 512}, Shape{2048, 1024}}) {
    add_rows(all, x);
  }
  for (const Shape& x : {Shape{8, 4, 32, 16}, Shape{4, 8, 256, 64}, Shape{1, 8, 1024, 64}}) {
    add_attention(all, x);
  }
}

}  // namespace ddx::bench
