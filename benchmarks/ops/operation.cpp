#include "operation.h"

#include "ddx/core/device.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/ops/op.h"
#include "ddx/tensor.h"
#include "ddx/tensor/detail/operations.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ddx::bench {
namespace {

using Floats = Tensor<float>;
using Make = std::function<std::function<Floats()>(Device)>;

std::string text(const Shape& shape) {
  std::string result;
  for (const auto extent : shape.extents()) {
    result += (result.empty() ? "" : "x") + std::to_string(extent);
  }
  return result.empty() ? "scalar" : result;
}

Floats random(const Shape& shape, std::uint64_t seed, Device device) {
  return random_uniform<float>(RandomKey(seed), shape, {.low = 0.5, .high = 1.5}, device);
}

/// An operation on one operand whose work is to read it and to write the result.
template <class F>
Operation on_one(std::string name, const Shape& x, double floats_moved, F f) {
  const Make make = [=](Device device) -> std::function<Floats()> {
    return [f, x = random(x, 1, device)] { return f(x); };
  };
  return {std::move(name), text(x), make, 4 * floats_moved, Unit::GigabytesPerSecond};
}

template <class F>
Operation on_two(std::string name, const Shape& a, const Shape& b, double work, Unit unit, F f) {
  const Make make = [=](Device device) -> std::function<Floats()> {
    return [f, a = random(a, 1, device), b = random(b, 2, device)] { return f(a, b); };
  };
  return {std::move(name), text(a) + " " + text(b), make, work, unit};
}

Operation product(std::string name, const Shape& a, const Shape& b, const MatmulOptions& options) {
  const std::int64_t columns = b[options.transpose_right ? 0 : 1];
  return on_two(std::move(name), a, b, 2.0 * static_cast<double>(a.count() * columns),
                Unit::GigaflopsPerSecond,
                [=](const Floats& x, const Floats& y) { return matmul(x, y, options); });
}

/// A convolution and its two gradients.
void add_convolution(std::vector<Operation>& all, const std::string& name, const Shape& x,
                     const Shape& filter, const Shape& y, const Conv2DOptions& options) {
  const double work = 2.0 * static_cast<double>(y.count() * filter[0] * filter[1] * filter[2]);
  const auto unit = Unit::GigaflopsPerSecond;
  all.push_back(on_two(name, x, filter, work, unit,
                       [=](const Floats& a, const Floats& b) { return conv2d(a, b, options); }));
  const detail::WindowMotion motion = detail::motion_of("conv2d", options);
  all.push_back(on_two(name + "_input_gradient", y, filter, work, unit,
                       [=](const Floats& dy, const Floats& b) {
                         return detail::convolution_input_gradient(dy, b, x, motion, {});
                       }));
  all.push_back(
      on_two(name + "_filter_gradient", x, y, work, unit, [=](const Floats& a, const Floats& dy) {
        return detail::convolution_filter_gradient(a, dy, filter, motion);
      }));
}

void add_elementwise(std::vector<Operation>& all) {
  constexpr std::int64_t million = 1 << 20;
  for (const std::int64_t count : {std::int64_t{1}, std::int64_t{16}, million}) {
    const auto moved = static_cast<double>(count);
    all.push_back(on_two("add", {count}, {count}, 12 * moved, Unit::GigabytesPerSecond,
                         [](const Floats& a, const Floats& b) { return a + b; }));
    all.push_back(on_one("relu", {count}, 2 * moved, [](const Floats& x) { return relu(x); }));
  }
  const double moved = 2.0 * million;
  all.push_back(on_one("exp", {million}, moved, [](const Floats& x) { return exp(x); }));
  all.push_back(on_one("log", {million}, moved, [](const Floats& x) { return log(x); }));
  all.push_back(on_one("tanh", {million}, moved, [](const Floats& x) { return tanh(x); }));
  all.push_back(on_two("add_bias", {128, 28, 28, 6}, {6}, 8.0 * 128 * 28 * 28 * 6,
                       Unit::GigabytesPerSecond,
                       [](const Floats& a, const Floats& b) { return a + b; }));
}

void add_rows(std::vector<Operation>& all) {
  const Shape square{1024, 1024};
  const auto moved = static_cast<double>(square.count());
  all.push_back(on_one("sum", square, moved, [](const Floats& x) { return sum(x); }));
  all.push_back(
      on_one("sum_rows", square, moved, [](const Floats& x) { return sum(x, {.axes = {1}}); }));
  all.push_back(
      on_one("sum_columns", square, moved, [](const Floats& x) { return sum(x, {.axes = {0}}); }));
  all.push_back(on_one("sum_bias", {128, 28, 28, 6}, 128.0 * 28 * 28 * 6,
                       [](const Floats& x) { return sum(x, {.axes = {0, 1, 2}}); }));
  all.push_back(on_one("softmax", square, 2 * moved, [](const Floats& x) { return softmax(x); }));
  all.push_back(on_one("avg_pool2d", {128, 28, 28, 6}, 1.25 * 128 * 28 * 28 * 6,
                       [](const Floats& x) { return avg_pool2d(x, {.size = {2, 2}}); }));
  all.push_back(on_one("max_pool2d", {128, 28, 28, 6}, 1.25 * 128 * 28 * 28 * 6,
                       [](const Floats& x) { return max_pool2d(x, {.size = {2, 2}}); }));
}

}  // namespace

std::vector<Operation> operations() {
  std::vector<Operation> all;
  add_elementwise(all);
  add_rows(all);
  all.push_back(product("matmul", {128, 84}, {84, 10}, {}));
  all.push_back(product("matmul", {128, 400}, {400, 120}, {}));
  all.push_back(product("matmul", {128, 784}, {784, 512}, {}));
  all.push_back(
      product("matmul_left_transposed", {128, 784}, {128, 512}, {.transpose_left = true}));
  all.push_back(
      product("matmul_right_transposed", {128, 512}, {784, 512}, {.transpose_right = true}));
  all.push_back(product("matmul", {512, 512}, {512, 512}, {}));
  add_convolution(all, "conv2d", {128, 28, 28, 1}, {5, 5, 1, 6}, {128, 28, 28, 6},
                  {.padding = Padding::Same});
  add_convolution(all, "conv2d", {128, 14, 14, 6}, {5, 5, 6, 16}, {128, 10, 10, 16}, {});
  add_convolution(all, "conv2d", {16, 16, 16, 32}, {3, 3, 32, 32}, {16, 16, 16, 32},
                  {.padding = Padding::Same});
  return all;
}

}  // namespace ddx::bench
