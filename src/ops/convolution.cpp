#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/window.h"

#include "ops/detail/dispatch_dtype.h"
#include "ops/detail/tile.h"
#include "ops/detail/volume.h"

#include <algorithm>
#include <cstdint>

namespace ddx::ops {
namespace {

using detail::for_each_place;
using detail::Triple;

/// Whether nothing is multiplied; the result, zeros, is written. However large the other extents
/// are, it costs no more.
template <class T>
bool is_sum_of_nothing(const Call& call) noexcept {
  if (call.input(0).shape().count() > 0 && call.input(1).shape().count() > 0) {
    return false;
  }
  std::fill_n(call.output().mutable_data<T>(), call.output().shape().count(), T{});
  return true;
}

/// The arrays of a convolution: input x [n, x_i..., c], filter [k_i..., c / groups, f], result
/// y [n, y_i..., f].
struct Geometry {
  Geometry(const Shape& x_shape, const Shape& y_shape, const WindowAttributes& attributes) noexcept
      : x(x_shape), y(y_shape), window(attributes), groups(attributes.groups) {}

  /// The channels of a group, in x and in y.
  [[nodiscard]] std::int64_t inputs() const noexcept { return x.channels / groups; }
  [[nodiscard]] std::int64_t outputs() const noexcept { return y.channels / groups; }

  /// The index of the first weight between channel c of a group's inputs and the group's outputs.
  [[nodiscard]] std::int64_t filter_at(const Triple& element, std::int64_t c,
                                       std::int64_t group) const noexcept {
    return (window.number(element) * inputs() + c) * y.channels + group * outputs();
  }

  detail::Volume x;
  detail::Volume y;
  detail::Window window;
  std::int64_t groups;
};

// y[n, p, f] = sum_ic x[n, p s - low + i d, c] filter[i, c, f], for c and f of one group
template <class T>
void convolution(const Call& call) noexcept {
  if (is_sum_of_nothing<T>(call)) {
    return;
  }
  const Geometry g(call.input(0).shape(), call.output().shape(),
                   call.attributes<WindowAttributes>());
  const auto* x = call.input(0).data<T>();
  const auto* filter = call.input(1).data<T>();
  auto* y = call.output().mutable_data<T>();
  const auto compute = [&](std::int64_t n, const Triple& place, std::int64_t group) {
    const auto add = [&](double* sums, std::int64_t first, std::int64_t width) {
      for_each_place(g.window.size, [&](const Triple& element) {
        g.window.with_input(g.x.extents, place, element, [&](const Triple& at) {
          const T* values = x + g.x.at(n, at) + group * g.inputs();
          for (std::int64_t c = 0; c < g.inputs(); ++c) {
            detail::add_multiple(sums, width, static_cast<double>(values[c]),
                                 filter + g.filter_at(element, c, group) + first);
          }
        });
      });
    };
    detail::sum_tiles(y + g.y.at(n, place) + group * g.outputs(), g.outputs(), add);
  };
  for (std::int64_t n = 0; n < g.y.samples; ++n) {
    for_each_place(g.y.extents, [&](const Triple& place) {
      for (std::int64_t group = 0; group < g.groups; ++group) {
        compute(n, place, group);
      }
    });
  }
}

// dx[n, r, c] = sum over p and i with p s - low + i d = r, and over f of c's group, of
// filter[i, c, f] dy[n, p, f]
template <class T>
void convolution_input_gradient(const Call& call) noexcept {
  if (is_sum_of_nothing<T>(call)) {
    return;
  }
  const Geometry g(call.output().shape(), call.input(0).shape(),
                   call.attributes<WindowAttributes>());
  const auto* dy = call.input(0).data<T>();
  const auto* filter = call.input(1).data<T>();
  auto* dx = call.output().mutable_data<T>();
  const auto compute = [&](std::int64_t n, const Triple& at, std::int64_t group) {
    const auto add = [&](double* sums, std::int64_t first, std::int64_t width) {
      for_each_place(g.window.size, [&](const Triple& element) {
        g.window.with_place(g.y.extents, at, element, [&](const Triple& place) {
          const T* cotangent = dy + g.y.at(n, place) + group * g.outputs();
          const T* weights = filter + g.filter_at(element, first, group);
          for (std::int64_t f = 0; f < g.outputs(); ++f) {
            detail::add_multiple(sums, width, static_cast<double>(cotangent[f]), weights + f,
                                 g.y.channels);
          }
        });
      });
    };
    detail::sum_tiles(dx + g.x.at(n, at) + group * g.inputs(), g.inputs(), add);
  };
  for (std::int64_t n = 0; n < g.x.samples; ++n) {
    for_each_place(g.x.extents, [&](const Triple& at) {
      for (std::int64_t group = 0; group < g.groups; ++group) {
        compute(n, at, group);
      }
    });
  }
}

// dfilter[i, c, f] = sum_np x[n, p s - low + i d, c] dy[n, p, f], for c and f of one group
template <class T>
void convolution_filter_gradient(const Call& call) noexcept {
  if (is_sum_of_nothing<T>(call)) {
    return;
  }
  const Geometry g(call.input(0).shape(), call.input(1).shape(),
                   call.attributes<WindowAttributes>());
  const auto* x = call.input(0).data<T>();
  const auto* dy = call.input(1).data<T>();
  auto* dfilter = call.output().mutable_data<T>();
  const auto compute = [&](const Triple& element, std::int64_t c, std::int64_t group) {
    const auto add = [&](double* sums, std::int64_t first, std::int64_t width) {
      for (std::int64_t n = 0; n < g.y.samples; ++n) {
        for_each_place(g.y.extents, [&](const Triple& place) {
          g.window.with_input(g.x.extents, place, element, [&](const Triple& at) {
            detail::add_multiple(sums, width,
                                 static_cast<double>(x[g.x.at(n, at) + group * g.inputs() + c]),
                                 dy + g.y.at(n, place) + group * g.outputs() + first);
          });
        });
      }
    };
    detail::sum_tiles(dfilter + g.filter_at(element, c, group), g.outputs(), add);
  };
  for_each_place(g.window.size, [&](const Triple& element) {
    for (std::int64_t c = 0; c < g.inputs(); ++c) {
      for (std::int64_t group = 0; group < g.groups; ++group) {
        compute(element, c, group);
      }
    }
  });
}

}  // namespace

Kernel convolution_reference(Op op, DType dtype) noexcept {
  if (op == Op::convolution) {
    return detail::dispatch_floating(dtype,
                                     [](auto element) { return &convolution<decltype(element)>; });
  }
  if (op == Op::convolution_input_gradient) {
    return detail::dispatch_floating(
        dtype, [](auto element) { return &convolution_input_gradient<decltype(element)>; });
  }
  if (op == Op::convolution_filter_gradient) {
    return detail::dispatch_floating(
        dtype, [](auto element) { return &convolution_filter_gradient<decltype(element)>; });
  }
  return nullptr;
}

}  // namespace ddx::ops
