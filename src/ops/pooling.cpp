#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/window.h"

#include "ops/detail/dispatch_dtype.h"
#include "ops/detail/extremes.h"
#include "ops/detail/volume.h"

#include <algorithm>
#include <cstdint>

namespace ddx::ops {
namespace {

using detail::for_each_window;

/// The first largest element of a window.
template <class T, class ForEach>
std::int64_t largest(const T* x, const ForEach& for_each) {
  std::int64_t best = -1;
  for_each([&](std::int64_t at, std::int64_t) {
    if (best < 0 || detail::takes_place(x[at], x[best])) {
      best = at;
    }
  });
  return best;
}

template <class T>
void avg_pool(const Call& call) noexcept {
  const auto* x = call.input(0).data<T>();
  auto* y = call.output().mutable_data<T>();
  for_each_window(call.input(0).shape(), call.output().shape(), call.attributes<WindowAttributes>(),
                  [&](std::int64_t at, const auto& for_each) {
                    double sum = 0;
                    std::int64_t count = 0;
                    for_each([&](std::int64_t i, std::int64_t) {
                      sum += static_cast<double>(x[i]);
                      ++count;
                    });
                    y[at] = static_cast<T>(sum / static_cast<double>(count));
                  });
}

template <class T>
void avg_pool_gradient(const Call& call) noexcept {
  const auto* dy = call.input(0).data<T>();
  auto* dx = call.output().mutable_data<T>();
  std::fill(dx, dx + call.output().shape().count(), T{});
  for_each_window(call.output().shape(), call.input(0).shape(), call.attributes<WindowAttributes>(),
                  [&](std::int64_t at, const auto& for_each) {
                    std::int64_t count = 0;
                    for_each([&](std::int64_t, std::int64_t) { ++count; });
                    const T share =
                        static_cast<T>(static_cast<double>(dy[at]) / static_cast<double>(count));
                    for_each([&](std::int64_t i, std::int64_t) { dx[i] += share; });
                  });
}

template <class T>
void max_pool(const Call& call) noexcept {
  const auto* x = call.input(0).data<T>();
  auto* y = call.output().mutable_data<T>();
  for_each_window(call.input(0).shape(), call.output().shape(), call.attributes<WindowAttributes>(),
                  [&](std::int64_t at, const auto& for_each) { y[at] = x[largest(x, for_each)]; });
}

template <class T>
void max_pool_gradient(const Call& call) noexcept {
  const auto* x = call.input(0).data<T>();
  const auto* dy = call.input(1).data<T>();
  auto* dx = call.output().mutable_data<T>();
  std::fill(dx, dx + call.output().shape().count(), T{});
  for_each_window(
      call.input(0).shape(), call.input(1).shape(), call.attributes<WindowAttributes>(),
      [&](std::int64_t at, const auto& for_each) { dx[largest(x, for_each)] += dy[at]; });
}

}  // namespace

Kernel pooling_reference(Op op, DType dtype) noexcept {
  if (op == Op::avg_pool) {
    return detail::dispatch_floating(dtype,
                                     [](auto element) { return &avg_pool<decltype(element)>; });
  }
  if (op == Op::avg_pool_gradient) {
    return detail::dispatch_floating(
        dtype, [](auto element) { return &avg_pool_gradient<decltype(element)>; });
  }
  if (op == Op::max_pool) {
    return detail::dispatch_floating(dtype,
                                     [](auto element) { return &max_pool<decltype(element)>; });
  }
  if (op == Op::max_pool_gradient) {
    return detail::dispatch_floating(
        dtype, [](auto element) { return &max_pool_gradient<decltype(element)>; });
  }
  return nullptr;
}

}  // namespace ddx::ops
