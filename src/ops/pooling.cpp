#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/window.h"

#include "ops/detail/pick.h"
#include "ops/detail/window_range.h"

#include <algorithm>
#include <cstdint>

namespace ddx::ops {
namespace {

/// Calls body(y_index, count, for_each) for each window and channel; for_each(f) calls f(x_index)
/// for the input elements inside the window row by row, count of them.
template <class Body>
void for_each_window(const Shape& x, const Shape& y, const WindowAttributes& w, Body body) {
  std::int64_t next = 0;
  for (std::int64_t n = 0; n < y[0]; ++n) {
    for (std::int64_t p = 0; p < y[1]; ++p) {
      const auto rows = detail::inside(p, w.stride_height, w.top, w.height, x[1]);
      for (std::int64_t q = 0; q < y[2]; ++q) {
        const auto columns = detail::inside(q, w.stride_width, w.left, w.width, x[2]);
        for (std::int64_t c = 0; c < y[3]; ++c) {
          const auto for_each = [&](auto f) {
            for (std::int64_t i = rows.begin; i < rows.end; ++i) {
              for (std::int64_t j = columns.begin; j < columns.end; ++j) {
                const std::int64_t row = p * w.stride_height - w.top + i;
                const std::int64_t column = q * w.stride_width - w.left + j;
                f(((n * x[1] + row) * x[2] + column) * x[3] + c);
              }
            }
          };
          body(next++, (rows.end - rows.begin) * (columns.end - columns.begin), for_each);
        }
      }
    }
  }
}

/// The first largest element of a window; a NaN counts as largest.
template <class T, class ForEach>
std::int64_t largest(const T* x, const ForEach& for_each) {
  std::int64_t best = -1;
  for_each([&](std::int64_t at) {
    if (best < 0 || x[at] > x[best] || (x[at] != x[at] && x[best] == x[best])) {
      best = at;
    }
  });
  return best;
}

template <class T>
void avg_pool2d(const Call& call) noexcept {
  const auto* x = call.input(0).data<T>();
  auto* y = call.output().mutable_data<T>();
  for_each_window(call.input(0).shape(), call.output().shape(), call.attributes<WindowAttributes>(),
                  [&](std::int64_t at, std::int64_t count, const auto& for_each) {
                    double sum = 0;
                    for_each([&](std::int64_t i) { sum += static_cast<double>(x[i]); });
                    y[at] = static_cast<T>(sum / static_cast<double>(count));
                  });
}

template <class T>
void avg_pool2d_gradient(const Call& call) noexcept {
  const auto* dy = call.input(0).data<T>();
  auto* dx = call.output().mutable_data<T>();
  std::fill(dx, dx + call.output().shape().count(), T{});
  for_each_window(call.output().shape(), call.input(0).shape(), call.attributes<WindowAttributes>(),
                  [&](std::int64_t at, std::int64_t count, const auto& for_each) {
                    const T share =
                        static_cast<T>(static_cast<double>(dy[at]) / static_cast<double>(count));
                    for_each([&](std::int64_t i) { dx[i] += share; });
                  });
}

template <class T>
void max_pool2d(const Call& call) noexcept {
  const auto* x = call.input(0).data<T>();
  auto* y = call.output().mutable_data<T>();
  for_each_window(call.input(0).shape(), call.output().shape(), call.attributes<WindowAttributes>(),
                  [&](std::int64_t at, std::int64_t, const auto& for_each) {
                    y[at] = x[largest(x, for_each)];
                  });
}

template <class T>
void max_pool2d_gradient(const Call& call) noexcept {
  const auto* x = call.input(0).data<T>();
  const auto* dy = call.input(1).data<T>();
  auto* dx = call.output().mutable_data<T>();
  std::fill(dx, dx + call.output().shape().count(), T{});
  for_each_window(call.input(0).shape(), call.input(1).shape(), call.attributes<WindowAttributes>(),
                  [&](std::int64_t at, std::int64_t, const auto& for_each) {
                    dx[largest(x, for_each)] += dy[at];
                  });
}

}  // namespace

Kernel pooling_reference(Op op, DType dtype) noexcept {
  if (op == Op::avg_pool2d) {
    return detail::pick_floating(dtype,
                                 [](auto element) { return &avg_pool2d<decltype(element)>; });
  }
  if (op == Op::avg_pool2d_gradient) {
    return detail::pick_floating(
        dtype, [](auto element) { return &avg_pool2d_gradient<decltype(element)>; });
  }
  if (op == Op::max_pool2d) {
    return detail::pick_floating(dtype,
                                 [](auto element) { return &max_pool2d<decltype(element)>; });
  }
  if (op == Op::max_pool2d_gradient) {
    return detail::pick_floating(
        dtype, [](auto element) { return &max_pool2d_gradient<decltype(element)>; });
  }
  return nullptr;
}

}  // namespace ddx::ops
