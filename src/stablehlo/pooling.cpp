// Pooling and its gradients.

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"
#include "ddx/stablehlo/module.h"

#include "stablehlo/detail/builder.h"
#include "stablehlo/detail/call.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ddx::stablehlo::detail {
namespace {

using ops::WindowAttributes;

/// The places that a window covers along an axis, from its first to its last.
std::int64_t reach(const WindowNumbers& window, std::size_t axis) {
  return (window.size[axis] - 1) * window.window_dilations[axis] + 1;
}

/// The window as it moves over x of one shape and gives y of another; the axes of samples and
/// channels have windows of one element.
WindowNumbers window_of(const WindowAttributes& w, const Shape& x, const Shape& y) {
  const std::size_t rank = x.rank();
  WindowNumbers window{Ints(rank, 1), Ints(rank, 1), Ints(rank, 1),
                       Ints(rank, 1), Ints(rank, 0), Ints(rank, 0)};
  for (std::size_t axis = 1; axis + 1 < rank; ++axis) {
    const std::size_t i = axis - 1;
    window.size[axis] = w.size[i];
    window.strides[axis] = w.strides[i];
    window.window_dilations[axis] = w.dilations[i];
    window.low[axis] = w.low[i];
    window.high[axis] = (y[axis] - 1) * w.strides[i] + reach(window, axis) - w.low[i] - x[axis];
  }
  return window;
}

/// The same window the other way round: what each element of x takes from the places whose windows
/// cover it, as a window over y with gaps between its elements.
WindowNumbers backwards(const WindowNumbers& window, const Shape& x, const Shape& y) {
  WindowNumbers back = window;
  for (std::size_t axis = 1; axis + 1 < x.rank(); ++axis) {
    const std::int64_t spread = (y[axis] - 1) * window.strides[axis] + 1;
    back.strides[axis] = 1;
    back.base_dilations[axis] = window.strides[axis];
    back.low[axis] = reach(window, axis) - 1 - window.low[axis];
    back.high[axis] = x[axis] + reach(window, axis) - 1 - spread - back.low[axis];
  }
  return back;
}

Ints negated(Ints numbers) {
  for (std::int64_t& number : numbers) {
    number = -number;
  }
  return numbers;
}

/// How many elements each window covers, padding left out.
Value counts(const WindowNumbers& window, Builder& builder, const Shape& x, const Shape& y,
             DType dtype) {
  return reduce_window(Code::add_, builder.filled(1, x, dtype), builder.number(0, dtype), window,
                       y);
}

}  // namespace

Values emit_avg_pool(const Call& call) {
  const Value& x = call.in(0);
  const WindowNumbers window = window_of(call.as<WindowAttributes>(), x.shape(), call.shape());
  const Value sums =
      reduce_window(Code::add_, x, call.builder.number(0, x.dtype()), window, call.shape());
  return {sums / counts(window, call.builder, x.shape(), call.shape(), x.dtype())};
}

Values emit_avg_pool_gradient(const Call& call) {
  const Value& dy = call.in(0);
  const WindowNumbers window = window_of(call.as<WindowAttributes>(), call.shape(), dy.shape());
  const Value shares = dy / counts(window, call.builder, call.shape(), dy.shape(), dy.dtype());
  return {reduce_window(Code::add_, shares, call.builder.number(0, dy.dtype()),
                        backwards(window, call.shape(), dy.shape()), call.shape())};
}

Values emit_max_pool(const Call& call) {
  const Value& x = call.in(0);
  return {reduce_window(Code::maximum_, x, lowest(call.builder, x.dtype()),
                        window_of(call.as<WindowAttributes>(), x.shape(), call.shape()),
                        call.shape())};
}

Values emit_max_pool_gradient(const Call& call) {
  const Value& x = call.in(0);
  const Value& dy = call.in(1);
  const WindowNumbers window = window_of(call.as<WindowAttributes>(), x.shape(), dy.shape());
  if (window.window_dilations != Ints(x.rank(), 1)) {
    return emit_dilated_max_pool_gradient(call);  // The specification's windows are dense here.
  }
  // The specification lets padding be chosen as the initial value. So what is outside is made minus
  // infinity before, and cut off behind; of a negative amount, it is the other way round.
  const Ints none(x.rank(), 0);
  const Value padded = pad(x, lowest(call.builder, x.dtype()), window.low, window.high, none);
  const ir::Type element{{}, x.dtype()};
  const Value zero = call.builder.number(0, x.dtype());
  std::vector<Region> regions;
  // Of equals the first stays; a NaN counts as largest.
  regions.push_back(call.builder.region({element, element}, [](const Values& values) {
    return Values{compare("GE", values[0], values[1]) | is_nan(values[0])};
  }));
  regions.push_back(call.builder.region(
      {element, element}, [](const Values& values) { return Values{values[0] + values[1]}; }));
  const Value scattered =
      call.builder.append_one(Code::select_and_scatter_, {padded, dy, zero}, padded.type(),
                              {{"window_dimensions", window.size},
                               {"window_strides", window.strides},
                               {"padding", Matrix{2, Ints(2 * x.rank(), 0)}}},
                              std::move(regions));
  return {pad(scattered, zero, negated(window.low), negated(window.high), none)};
}

}  // namespace ddx::stablehlo::detail
