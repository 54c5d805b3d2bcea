#include "programs.h"

#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/tensor.h"

#include <array>
#include <functional>
#include <span>
#include <vector>

namespace ddx::bench {
namespace {

using Step = std::function<Tensor<float>()>;

/// Elements between 0.5 and 1.
Tensor<float> operand(const Shape& shape, Device device) {
  std::vector<float> elements(static_cast<std::size_t>(shape.count()));
  for (std::size_t i = 0; i < elements.size(); ++i) {
    elements[i] = 0.5F + 0.5F * static_cast<float>(i * 37 % 101) / 101.0F;
  }
  return {shape, elements, device};
}

/// Sums of two arrays.
Step sums(Device device, Shape::Extent n) {
  return [x = operand(Shape{n}, device)] {
    Tensor<float> y = x;
    for (int i = 0; i < 1000; ++i) {
      y = y + x;
    }
    return y;
  };
}

/// Functions of one array, and products with numbers that are given at run time.
Step elementwise(Device device, Shape::Extent n) {
  return [x = operand(Shape{n}, device)] {
    Tensor<float> y = x;
    for (int i = 0; i < 250; ++i) {
      y = relu(y - x) * 0.9F;
      y = y + x;
    }
    return y;
  };
}

/// Steps of gradient descent of a perceptron with one hidden layer: products with and without
/// transposes, rows added to matrices, sums over an axis, functions and their derivatives, updates.
Step descent(Device device, Shape::Extent n) {
  return [x = operand({n, 8}, device), target = operand({n, 4}, device),
          u = operand({8, 16}, device), b = operand({16}, device), v = operand({16, 4}, device),
          c = operand({4}, device)]() mutable {
    const float rate = 1e-3F;
    for (int i = 0; i < 50; ++i) {
      const auto h = tanh(matmul(x, u) + b);
      const auto error = matmul(h, v) + c - target;
      const auto dh = matmul(error, v, {.transpose_right = true}) * (1.0F - h * h);
      v -= rate * matmul(h, error, {.transpose_left = true});
      c -= rate * sum(error, {.axes = {0}});
      u -= rate * matmul(x, dh, {.transpose_left = true});
      b -= rate * sum(dh, {.axes = {0}});
    }
    return u + sum(v) + sum(b) + sum(c);
  };
}

}  // namespace

std::span<const Program> programs() {
  static const std::array<Program, 3> all{
      {{"sums", sums}, {"elementwise", elementwise}, {"descent", descent}}};
  return all;
}

}  // namespace ddx::bench
