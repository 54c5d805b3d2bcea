#include "ddx/ops/softmax.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"

#include "ops/detail/axis_line.h"
#include "ops/detail/dispatch_dtype.h"
#include "ops/detail/log_sum_exp.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

namespace ddx::ops {
namespace {

using detail::AxisLine;
using detail::for_each_axis_line;

/// The logarithms of softmax along a line.
template <class T>
class LogShares {
 public:
  explicit LogShares(const AxisLine<T>& x) noexcept : x_(x) {
    detail::LogSumExp sum;
    for (std::int64_t i = 0; i < x.extent; ++i) {
      sum.add(x[i]);
    }
    largest_ = sum.largest();
    rest_ = sum.rest();
  }

  [[nodiscard]] double operator[](std::int64_t i) const noexcept {
    return (x_[i] - largest_) - rest_;
  }

 private:
  AxisLine<T> x_;
  double largest_;
  double rest_;
};

template <class T, bool logarithm>
void softmax(const Call& call) noexcept {
  const Shape& shape = call.output().shape();
  const std::size_t axis = call.attributes<AxisAttributes>().axis;
  const std::int64_t stride = dense_strides(shape)[axis];
  for_each_axis_line(shape, axis, [&](std::int64_t first) {
    const AxisLine<const T> x{call.input(0).data<T>() + first, stride, shape[axis]};
    const AxisLine<T> y{call.output().mutable_data<T>() + first, stride, shape[axis]};
    const LogShares logarithms(x);
    for (std::int64_t i = 0; i < x.extent; ++i) {
      y.set(i, logarithm ? logarithms[i] : std::exp(logarithms[i]));
    }
  });
}

template <class T, bool logarithm>
void softmax_gradient(const Call& call) noexcept {
  const Shape& shape = call.output().shape();
  const std::size_t axis = call.attributes<AxisAttributes>().axis;
  const std::int64_t stride = dense_strides(shape)[axis];
  for_each_axis_line(shape, axis, [&](std::int64_t first) {
    const AxisLine<const T> y{call.input(0).data<T>() + first, stride, shape[axis]};
    const AxisLine<const T> dy{call.input(1).data<T>() + first, stride, shape[axis]};
    const AxisLine<T> dx{call.output().mutable_data<T>() + first, stride, shape[axis]};
    double sum = 0;
    for (std::int64_t i = 0; i < y.extent; ++i) {
      sum += logarithm ? dy[i] : dy[i] * y[i];
    }
    for (std::int64_t i = 0; i < y.extent; ++i) {
      dx.set(i, logarithm ? dy[i] - std::exp(y[i]) * sum : y[i] * (dy[i] - sum));
    }
  });
}

template <class T>
void softmax_cross_entropy(const Call& call) noexcept {
  const std::int64_t classes = call.input(0).shape()[1];
  const auto* label = call.input(1).data<std::int32_t>();
  auto* loss = call.output().mutable_data<T>();
  for (std::int64_t row = 0; row < call.output().shape()[0]; ++row) {
    const AxisLine<const T> x{call.input(0).data<T>() + row * classes, 1, classes};
    loss[row] = static_cast<T>(-LogShares(x)[label[row]]);
  }
}

template <class T>
void softmax_cross_entropy_gradient(const Call& call) noexcept {
  const std::int64_t classes = call.input(0).shape()[1];
  const auto* label = call.input(1).data<std::int32_t>();
  const auto* dloss = call.input(2).data<WideScalar<T>>();
  for (std::int64_t row = 0; row < call.output().shape()[0]; ++row) {
    const AxisLine<const T> x{call.input(0).data<T>() + row * classes, 1, classes};
    const AxisLine<T> dx{call.output().mutable_data<T>() + row * classes, 1, classes};
    const LogShares logarithms(x);
    for (std::int64_t i = 0; i < classes; ++i) {
      dx.set(i, static_cast<double>(dloss[row]) *
                    (std::exp(logarithms[i]) - (i == label[row] ? 1 : 0)));
    }
  }
}

}  // namespace

Shape cross_entropy_shape(const Site& site, const Shape& logits, const Shape& labels) {
  const std::string shapes = "; shapes " + to_string(logits) + " and " + to_string(labels);
  if (logits.rank() != 2 || labels.rank() != 1) {
    site.fail("ranks " + std::to_string(logits.rank()) + " and " + std::to_string(labels.rank()) +
              " are not 2 and 1" + shapes);
  }
  if (logits[0] != labels[0]) {
    site.fail("rows " + std::to_string(logits[0]) + " and " + std::to_string(labels[0]) +
              " differ" + shapes);
  }
  return labels;
}

Kernel softmax_reference(Op op, DType dtype) noexcept {
  if (op == Op::softmax) {
    return detail::dispatch_floating(
        dtype, [](auto element) { return &softmax<decltype(element), false>; });
  }
  if (op == Op::log_softmax) {
    return detail::dispatch_floating(
        dtype, [](auto element) { return &softmax<decltype(element), true>; });
  }
  if (op == Op::softmax_gradient) {
    return detail::dispatch_floating(
        dtype, [](auto element) { return &softmax_gradient<decltype(element), false>; });
  }
  if (op == Op::log_softmax_gradient) {
    return detail::dispatch_floating(
        dtype, [](auto element) { return &softmax_gradient<decltype(element), true>; });
  }
  if (op == Op::softmax_cross_entropy) {
    return detail::dispatch_floating(
        dtype, [](auto element) { return &softmax_cross_entropy<decltype(element)>; });
  }
  if (op == Op::softmax_cross_entropy_gradient) {
    return detail::dispatch_floating(
        dtype, [](auto element) { return &softmax_cross_entropy_gradient<decltype(element)>; });
  }
  return nullptr;
}

}  // namespace ddx::ops
