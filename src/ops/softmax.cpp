#include "ddx/ops/softmax.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"

#include "ops/detail/pick.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

namespace ddx::ops {
namespace {

/// The elements along one axis at one place of the others.
template <class T>
struct Line {
  [[nodiscard]] double operator[](std::int64_t i) const noexcept {
    return static_cast<double>(data[i * stride]);
  }
  void set(std::int64_t i, double value) const noexcept {
    data[i * stride] = static_cast<T>(value);
  }

  T* data;
  std::int64_t stride;
  std::int64_t extent;
};

/// log of the sum of e^x along the line, where the largest e^x counts as 1 so that nothing
/// overflows.
template <class T>
double log_sum_exp(const Line<T>& x) noexcept {
  double largest = x[0];
  for (std::int64_t i = 1; i < x.extent; ++i) {
    largest = std::max(largest, x[i]);
  }
  if (std::isinf(largest)) {
    return largest;
  }
  double sum = 0;
  for (std::int64_t i = 0; i < x.extent; ++i) {
    sum += std::exp(x[i] - largest);
  }
  return largest + std::log(sum);
}

/// Calls body(first) with the offset of each line along the axis.
template <class Body>
void for_each_line(const Shape& shape, std::size_t axis, Body body) noexcept {
  const std::int64_t stride = dense_strides(shape)[axis];
  if (shape.count() == 0) {
    return;
  }
  const std::int64_t block = stride * shape[axis];
  for (std::int64_t first = 0; first < shape.count(); first += block) {
    for (std::int64_t i = 0; i < stride; ++i) {
      body(first + i);
    }
  }
}

template <class T, bool logarithm>
void softmax(const Call& call) noexcept {
  const Shape& shape = call.output().shape();
  const std::size_t axis = call.attributes<AxisAttributes>().axis;
  const std::int64_t stride = dense_strides(shape)[axis];
  for_each_line(shape, axis, [&](std::int64_t first) {
    const Line<const T> x{call.input(0).data<T>() + first, stride, shape[axis]};
    const Line<T> y{call.output().mutable_data<T>() + first, stride, shape[axis]};
    const double normalizer = log_sum_exp(x);
    for (std::int64_t i = 0; i < x.extent; ++i) {
      y.set(i, logarithm ? x[i] - normalizer : std::exp(x[i] - normalizer));
    }
  });
}

template <class T, bool logarithm>
void softmax_gradient(const Call& call) noexcept {
  const Shape& shape = call.output().shape();
  const std::size_t axis = call.attributes<AxisAttributes>().axis;
  const std::int64_t stride = dense_strides(shape)[axis];
  for_each_line(shape, axis, [&](std::int64_t first) {
    const Line<const T> y{call.input(0).data<T>() + first, stride, shape[axis]};
    const Line<const T> dy{call.input(1).data<T>() + first, stride, shape[axis]};
    const Line<T> dx{call.output().mutable_data<T>() + first, stride, shape[axis]};
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
    const Line<const T> x{call.input(0).data<T>() + row * classes, 1, classes};
    loss[row] = static_cast<T>(log_sum_exp(x) - x[label[row]]);
  }
}

template <class T>
void softmax_cross_entropy_gradient(const Call& call) noexcept {
  const std::int64_t classes = call.input(0).shape()[1];
  const auto* label = call.input(1).data<std::int32_t>();
  const auto* dloss = call.input(2).data<T>();
  for (std::int64_t row = 0; row < call.output().shape()[0]; ++row) {
    const Line<const T> x{call.input(0).data<T>() + row * classes, 1, classes};
    const Line<T> dx{call.output().mutable_data<T>() + row * classes, 1, classes};
    const double normalizer = log_sum_exp(x);
    for (std::int64_t i = 0; i < classes; ++i) {
      dx.set(i, static_cast<double>(dloss[row]) *
                    (std::exp(x[i] - normalizer) - (i == label[row] ? 1 : 0)));
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
    return detail::pick_floating(dtype,
                                 [](auto element) { return &softmax<decltype(element), false>; });
  }
  if (op == Op::log_softmax) {
    return detail::pick_floating(dtype,
                                 [](auto element) { return &softmax<decltype(element), true>; });
  }
  if (op == Op::softmax_gradient) {
    return detail::pick_floating(
        dtype, [](auto element) { return &softmax_gradient<decltype(element), false>; });
  }
  if (op == Op::log_softmax_gradient) {
    return detail::pick_floating(
        dtype, [](auto element) { return &softmax_gradient<decltype(element), true>; });
  }
  if (op == Op::softmax_cross_entropy) {
    return detail::pick_floating(
        dtype, [](auto element) { return &softmax_cross_entropy<decltype(element)>; });
  }
  if (op == Op::softmax_cross_entropy_gradient) {
    return detail::pick_floating(
        dtype, [](auto element) { return &softmax_cross_entropy_gradient<decltype(element)>; });
  }
  return nullptr;
}

}  // namespace ddx::ops
