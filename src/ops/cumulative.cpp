#include "ddx/ops/cumulative.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"

#include "ops/detail/axis_line.h"
#include "ops/detail/dispatch_dtype.h"
#include "ops/detail/log_sum_exp.h"
#include "ops/detail/numbers.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace ddx::ops {
namespace {

/// Goes along each line: y[at] = step(state, at) for its elements in order, or from its end, with a
/// state that starts as State{} for each line. `step` is given the offset of the element.
template <class State, class T, class Step>
void along_lines(const Call& call, Step step) noexcept {
  auto* y = call.output().mutable_data<T>();
  const Shape& shape = call.output().shape();
  const auto& [axis, reverse] = call.attributes<CumulativeAttributes>();
  const std::int64_t stride = dense_strides(shape)[axis];
  const std::int64_t extent = shape[axis];
  detail::for_each_axis_line(shape, axis, [&](std::int64_t first) {
    State state{};
    for (std::int64_t i = 0; i < extent; ++i) {
      const std::int64_t at = first + (reverse ? extent - 1 - i : i) * stride;
      y[at] = static_cast<T>(step(state, at));
    }
  });
}

template <class T>
void cumulative_sum(const Call& call) noexcept {
  using State = detail::Accumulator<T>;
  along_lines<State, T>(call, [x = call.input(0).data<T>()](State& sum, std::int64_t at) {
    return sum += static_cast<State>(x[at]);
  });
}

/// A number that starts as 1.
template <class T>
struct Product {
  T value = 1;
};

template <class T>
void cumulative_product(const Call& call) noexcept {
  using State = detail::Accumulator<T>;
  along_lines<Product<State>, T>(
      call, [x = call.input(0).data<T>()](Product<State>& product, std::int64_t at) {
        return product.value *= static_cast<State>(x[at]);
      });
}

/// Nothing, or the largest element so far.
template <class T>
struct RunningLargest {
  T value{};
  bool exists = false;
};

template <class T>
void cumulative_max(const Call& call) noexcept {
  along_lines<RunningLargest<T>, T>(
      call, [x = call.input(0).data<T>()](RunningLargest<T>& largest, std::int64_t at) {
        // A NaN is not equal to itself and replaces everything, and nothing
        // replaces it.
        if (!largest.exists || x[at] > largest.value || x[at] != x[at]) {
          largest = {x[at], true};
        }
        return largest.value;
      });
}

template <class T>
void cumulative_log_sum_exp(const Call& call) noexcept {
  along_lines<detail::LogSumExp, T>(
      call, [x = call.input(0).data<T>()](detail::LogSumExp& sum, std::int64_t at) {
        sum.add(static_cast<double>(x[at]));
        return sum.value();
      });
}

/// The result before, or nothing: the first factor of a line is not read.
struct Before {
  double value = 0;
  bool exists = false;
};

template <class T>
void linear_recurrence(const Call& call) noexcept {
  const auto* a = call.input(0).data<T>();
  const auto* b = call.input(1).data<T>();
  along_lines<Before, T>(call, [a, b](Before& before, std::int64_t at) {
    const auto start = static_cast<double>(b[at]);
    before = {before.exists ? static_cast<double>(a[at]) * before.value + start : start, true};
    return before.value;
  });
}

}  // namespace

Shape recurrence_shape(const Site& site, const Shape& a, const Shape& b) {
  if (!(a == b)) {
    site.fail("factors and terms differ in shape; shapes " + to_string(a) + " and " + to_string(b));
  }
  return a;
}

Kernel cumulative_reference(Op op, DType dtype) noexcept {
  if (op == Op::cumulative_sum) {
    return detail::dispatch_numeric(
        dtype, [](auto element) { return &cumulative_sum<decltype(element)>; });
  }
  if (op == Op::cumulative_product) {
    return detail::dispatch_numeric(
        dtype, [](auto element) { return &cumulative_product<decltype(element)>; });
  }
  if (op == Op::cumulative_max) {
    return detail::dispatch_numeric(
        dtype, [](auto element) { return &cumulative_max<decltype(element)>; });
  }
  if (op == Op::cumulative_log_sum_exp) {
    return detail::dispatch_floating(
        dtype, [](auto element) { return &cumulative_log_sum_exp<decltype(element)>; });
  }
  if (op == Op::linear_recurrence) {
    return detail::dispatch_floating(
        dtype, [](auto element) { return &linear_recurrence<decltype(element)>; });
  }
  return nullptr;
}

}  // namespace ddx::ops
