#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/window.h"

#include "ops/detail/pick.h"
#include "ops/detail/tile.h"
#include "ops/detail/window_range.h"

#include <cstdint>

namespace ddx::ops {
namespace {

/// The arrays of a convolution: image x [n, h, w, c], filter [kh, kw, c, f], result y [n, p, q, f].
struct Geometry {
  const Shape& x;
  const Shape& y;
  const WindowAttributes& window;

  [[nodiscard]] std::int64_t x_at(std::int64_t n, std::int64_t row,
                                  std::int64_t column) const noexcept {
    return ((n * x[1] + row) * x[2] + column) * x[3];
  }
  [[nodiscard]] std::int64_t y_at(std::int64_t n, std::int64_t p, std::int64_t q) const noexcept {
    return ((n * y[1] + p) * y[2] + q) * y[3];
  }
  [[nodiscard]] std::int64_t filter_at(std::int64_t i, std::int64_t j,
                                       std::int64_t c) const noexcept {
    return ((i * window.width + j) * x[3] + c) * y[3];
  }
  [[nodiscard]] detail::Range rows(std::int64_t p) const noexcept {
    return detail::inside(p, window.stride_height, window.top, window.height, x[1]);
  }
  [[nodiscard]] detail::Range columns(std::int64_t q) const noexcept {
    return detail::inside(q, window.stride_width, window.left, window.width, x[2]);
  }
};

// y[n, p, q, f] = sum_ijc x[n, p sh - top + i, q sw - left + j, c] filter[i, j, c, f]
template <class T>
void conv2d(const Call& call) noexcept {
  const Geometry g{call.input(0).shape(), call.output().shape(),
                   call.attributes<WindowAttributes>()};
  const auto* x = call.input(0).data<T>();
  const auto* filter = call.input(1).data<T>();
  auto* y = call.output().mutable_data<T>();
  for (std::int64_t n = 0; n < g.y[0]; ++n) {
    for (std::int64_t p = 0; p < g.y[1]; ++p) {
      for (std::int64_t q = 0; q < g.y[2]; ++q) {
        const auto add = [&](double* sums, std::int64_t first, std::int64_t width) {
          for (std::int64_t i = g.rows(p).begin; i < g.rows(p).end; ++i) {
            for (std::int64_t j = g.columns(q).begin; j < g.columns(q).end; ++j) {
              const T* pixel = x + g.x_at(n, p * g.window.stride_height - g.window.top + i,
                                          q * g.window.stride_width - g.window.left + j);
              for (std::int64_t c = 0; c < g.x[3]; ++c) {
                detail::add_multiple(sums, width, static_cast<double>(pixel[c]),
                                     filter + g.filter_at(i, j, c) + first);
              }
            }
          }
        };
        detail::sum_tiles(y + g.y_at(n, p, q), g.y[3], add);
      }
    }
  }
}

// dx[n, r, s, c] = sum over (p, q) whose window covers (r, s), and f, of filter[i, j, c, f] dy[n,
// p, q, f]
template <class T>
void conv2d_input_gradient(const Call& call) noexcept {
  const Geometry g{call.output().shape(), call.input(0).shape(),
                   call.attributes<WindowAttributes>()};
  const WindowAttributes& w = g.window;
  const auto* dy = call.input(0).data<T>();
  const auto* filter = call.input(1).data<T>();
  auto* dx = call.output().mutable_data<T>();
  for (std::int64_t n = 0; n < g.x[0]; ++n) {
    for (std::int64_t r = 0; r < g.x[1]; ++r) {
      const auto ps = detail::covering(r, w.stride_height, w.top, w.height, g.y[1]);
      for (std::int64_t s = 0; s < g.x[2]; ++s) {
        const auto qs = detail::covering(s, w.stride_width, w.left, w.width, g.y[2]);
        const auto add = [&](double* sums, std::int64_t first, std::int64_t width) {
          for (std::int64_t p = ps.begin; p < ps.end; ++p) {
            for (std::int64_t q = qs.begin; q < qs.end; ++q) {
              const T* cotangent = dy + g.y_at(n, p, q);
              const T* weights = filter + g.filter_at(r + w.top - p * w.stride_height,
                                                      s + w.left - q * w.stride_width, first);
              for (std::int64_t f = 0; f < g.y[3]; ++f) {
                detail::add_multiple(sums, width, static_cast<double>(cotangent[f]), weights + f,
                                     g.y[3]);
              }
            }
          }
        };
        detail::sum_tiles(dx + g.x_at(n, r, s), g.x[3], add);
      }
    }
  }
}

// dfilter[i, j, c, f] = sum_npq x[n, p sh - top + i, q sw - left + j, c] dy[n, p, q, f]
template <class T>
void conv2d_filter_gradient(const Call& call) noexcept {
  const Geometry g{call.input(0).shape(), call.input(1).shape(),
                   call.attributes<WindowAttributes>()};
  const auto* x = call.input(0).data<T>();
  const auto* dy = call.input(1).data<T>();
  auto* dfilter = call.output().mutable_data<T>();
  for (std::int64_t i = 0; i < g.window.height; ++i) {
    for (std::int64_t j = 0; j < g.window.width; ++j) {
      for (std::int64_t c = 0; c < g.x[3]; ++c) {
        const auto add = [&](double* sums, std::int64_t first, std::int64_t width) {
          for (std::int64_t n = 0; n < g.y[0]; ++n) {
            for (std::int64_t p = 0; p < g.y[1]; ++p) {
              const std::int64_t row = p * g.window.stride_height - g.window.top + i;
              for (std::int64_t q = 0; q < g.y[2]; ++q) {
                const std::int64_t column = q * g.window.stride_width - g.window.left + j;
                if (row >= 0 && row < g.x[1] && column >= 0 && column < g.x[2]) {
                  detail::add_multiple(sums, width,
                                       static_cast<double>(x[g.x_at(n, row, column) + c]),
                                       dy + g.y_at(n, p, q) + first);
                }
              }
            }
          }
        };
        detail::sum_tiles(dfilter + g.filter_at(i, j, c), g.y[3], add);
      }
    }
  }
}

}  // namespace

Kernel convolution_reference(Op op, DType dtype) noexcept {
  if (op == Op::conv2d) {
    return detail::pick_floating(dtype, [](auto element) { return &conv2d<decltype(element)>; });
  }
  if (op == Op::conv2d_input_gradient) {
    return detail::pick_floating(
        dtype, [](auto element) { return &conv2d_input_gradient<decltype(element)>; });
  }
  if (op == Op::conv2d_filter_gradient) {
    return detail::pick_floating(
        dtype, [](auto element) { return &conv2d_filter_gradient<decltype(element)>; });
  }
  return nullptr;
}

}  // namespace ddx::ops
