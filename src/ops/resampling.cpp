#include "ddx/ops/resampling.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "ops/detail/dispatch_dtype.h"
#include "ops/detail/tile.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ddx::ops {
namespace {

/// The extents of [outer, along the axis, inner], before and after, and the taps.
struct ResamplingGeometry {
  ResamplingGeometry(const Shape& x, const Call& call) noexcept
      : taps(call.input(2).shape()[1]), out(call.input(2).shape()[0]) {
    const std::size_t axis = call.attributes<AxisAttributes>().axis;
    in = x[axis];
    for (std::size_t i = 0; i < axis; ++i) {
      outer *= x[i];
    }
    for (std::size_t i = axis + 1; i < x.rank(); ++i) {
      inner *= x[i];
    }
  }

  std::int64_t taps;
  std::int64_t out;
  std::int64_t in = 0;
  std::int64_t outer = 1;
  std::int64_t inner = 1;
};

// y_i = sum_j weights_ij x_(first_i + j)
template <class T>
void resample(const Call& call) noexcept {
  const ResamplingGeometry g(call.input(0).shape(), call);
  const auto* x = call.input(0).data<T>();
  const auto* first = call.input(1).data<std::int32_t>();
  const auto* weights = call.input(2).data<T>();
  auto* y = call.output().mutable_data<T>();
  for (std::int64_t o = 0; o < g.outer; ++o) {
    for (std::int64_t i = 0; i < g.out; ++i) {
      const T* from = x + (o * g.in + first[i]) * g.inner;
      const auto add = [&](double* sums, std::int64_t begin, std::int64_t width) {
        for (std::int64_t j = 0; j < g.taps; ++j) {
          detail::add_multiple(sums, width, static_cast<double>(weights[i * g.taps + j]),
                               from + j * g.inner + begin);
        }
      };
      detail::sum_tiles(y + (o * g.out + i) * g.inner, g.inner, add);
    }
  }
}

// dx_r = sum over i and j with first_i + j = r of weights_ij dy_i
template <class T>
void resample_gradient(const Call& call) noexcept {
  const ResamplingGeometry g(call.output().shape(), call);
  const auto* dy = call.input(0).data<T>();
  const auto* first = call.input(1).data<std::int32_t>();
  const auto* weights = call.input(2).data<T>();
  auto* dx = call.output().mutable_data<T>();
  for (std::int64_t o = 0; o < g.outer; ++o) {
    for (std::int64_t r = 0; r < g.in; ++r) {
      const auto add = [&](double* sums, std::int64_t begin, std::int64_t width) {
        const auto* from = std::upper_bound(first, first + g.out, r - g.taps);
        for (; from != first + g.out && *from <= r; ++from) {
          const std::int64_t i = from - first;
          detail::add_multiple(sums, width, static_cast<double>(weights[i * g.taps + r - *from]),
                               dy + (o * g.out + i) * g.inner + begin);
        }
      };
      detail::sum_tiles(dx + (o * g.in + r) * g.inner, g.inner, add);
    }
  }
}

}  // namespace

Kernel resampling_reference(Op op, DType dtype) noexcept {
  if (op == Op::resample) {
    return detail::dispatch_floating(dtype,
                                     [](auto element) { return &resample<decltype(element)>; });
  }
  if (op == Op::resample_gradient) {
    return detail::dispatch_floating(
        dtype, [](auto element) { return &resample_gradient<decltype(element)>; });
  }
  return nullptr;
}

}  // namespace ddx::ops
