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
#include <limits>

namespace ddx::ops {
namespace {

/// The first largest sum of a window, and which element of the input and of the filter it is of.
template <class T>
struct Largest {
  T sum = -std::numeric_limits<T>::infinity();
  std::int64_t input = -1;  ///< None where the window sees only padding.
  std::int64_t weight = -1;
};

/// Calls body(y_index, largest) for each window and channel.
template <class T, class Body>
void for_each_largest(const Call& call, const Shape& y, Body body) {
  const auto* x = call.input(0).data<T>();
  const auto* filter = call.input(1).data<T>();
  const std::int64_t channels = y[y.rank() - 1];
  detail::for_each_window(call.input(0).shape(), y, call.attributes<WindowAttributes>(),
                          [&](std::int64_t at, const auto& for_each) {
                            Largest<T> largest;
                            for_each([&](std::int64_t i, std::int64_t element) {
                              const std::int64_t weight = element * channels + at % channels;
                              const T sum = x[i] + filter[weight];
                              if (largest.input < 0 || detail::takes_place(sum, largest.sum)) {
                                largest = {sum, i, weight};
                              }
                            });
                            body(at, largest);
                          });
}

// y[n, p, c] = max_i x[n, p s - low + i d, c] + filter[i, c]
template <class T>
void grey_dilation(const Call& call) noexcept {
  auto* y = call.output().mutable_data<T>();
  for_each_largest<T>(call, call.output().shape(),
                      [&](std::int64_t at, const Largest<T>& largest) { y[at] = largest.sum; });
}

/// Adds each cotangent to what its largest sum is of.
template <class T, std::int64_t Largest<T>::* place>
void grey_dilation_gradient(const Call& call) noexcept {
  const auto* dy = call.input(2).data<T>();
  auto* result = call.output().mutable_data<T>();
  std::fill(result, result + call.output().shape().count(), T{});
  for_each_largest<T>(call, call.input(2).shape(), [&](std::int64_t at, const Largest<T>& largest) {
    if (largest.*place >= 0) {
      result[largest.*place] += dy[at];
    }
  });
}

}  // namespace

Kernel morphology_reference(Op op, DType dtype) noexcept {
  if (op == Op::grey_dilation) {
    return detail::dispatch_floating(
        dtype, [](auto element) { return &grey_dilation<decltype(element)>; });
  }
  if (op == Op::grey_dilation_input_gradient) {
    return detail::dispatch_floating(dtype, [](auto element) -> Kernel {
      using T = decltype(element);
      return &grey_dilation_gradient<T, &Largest<T>::input>;
    });
  }
  if (op == Op::grey_dilation_filter_gradient) {
    return detail::dispatch_floating(dtype, [](auto element) -> Kernel {
      using T = decltype(element);
      return &grey_dilation_gradient<T, &Largest<T>::weight>;
    });
  }
  return nullptr;
}

}  // namespace ddx::ops
