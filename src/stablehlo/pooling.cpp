// Pooling and its gradients.

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"
#include "ddx/stablehlo/module.h"

#include "stablehlo/detail/builder.h"
#include "stablehlo/detail/call.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ddx::stablehlo::detail {
namespace {

using ops::WindowAttributes;

/// The positions that a window covers along an axis, from first to last.
std::int64_t reach(const WindowNumbers& window, std::size_t axis) {
  return (window.size[axis] - 1) * window.window_dilations[axis] + 1;
}

/// The window that moves over x of one shape and gives y of another; the axes of samples and
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

/// The transposed window: each element of x reads the positions whose windows cover it, as a window
/// over y with gaps between its elements.
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

/// Whether a window crosses the border along some axis.
bool reaches_over_the_edge(const WindowNumbers& window) {
  const auto is_above_zero = [](std::int64_t number) { return number > 0; };
  return std::ranges::any_of(window.low, is_above_zero) ||
         std::ranges::any_of(window.high, is_above_zero);
}

/// The number of elements that each window covers, without padding; of extent 1 along the other
/// axes.
Value counts(const WindowNumbers& window, Builder& builder, const Shape& x, const Shape& y,
             DType dtype) {
  if (!reaches_over_the_edge(window)) {
    double count = 1;
    for (const std::int64_t size : window.size) {
      count *= static_cast<double>(size);
    }
    return builder.number(count, dtype);
  }
  const std::size_t last = x.rank() - 1;
  const auto flat = [last](const Shape& shape) {
    return with_extent(with_extent(shape, 0, 1), last, 1);
  };
  return reduce_window(Code::add_, builder.filled(1, flat(x), dtype), builder.number(0, dtype),
                       window, flat(y));
}

/// Adjacent windows from the first element on, as separate axes: compilers reduce axes well.
class Tiles {
 public:
  Tiles(const WindowNumbers& window, const Shape& x, const Shape& y) : x_(x) {
    for (std::size_t axis = 0; axis < x.rank(); ++axis) {
      outer_.push_back(static_cast<std::int64_t>(split_.size()));
      split_.push_back(y[axis]);
      joined_.push_back(y[axis] * window.size[axis]);
      if (window.size[axis] > 1) {
        inner_.push_back(static_cast<std::int64_t>(split_.size()));
        split_.push_back(window.size[axis]);
      }
    }
  }

  /// Whether the windows are adjacent.
  [[nodiscard]] static bool are(const WindowNumbers& window) {
    return window.strides == window.size &&
           window.window_dilations == Ints(window.size.size(), 1) &&
           window.low == Ints(window.size.size(), 0) && !reaches_over_the_edge(window);
  }

  /// The elements of x by window; the window's axes are `inner`.
  [[nodiscard]] Value of(const Value& x) const {
    const Ints none(x.rank(), 0);
    return reshape(slice(x, none, joined_, Ints(x.rank(), 1)), shape_of(split_));
  }
  [[nodiscard]] const Ints& inner() const noexcept { return inner_; }

  /// The value of each window at all its elements; zeros for elements of x in no window.
  [[nodiscard]] Value spread(const Value& y) const {
    Ints high;
    for (std::size_t axis = 0; axis < x_.rank(); ++axis) {
      high.push_back(x_[axis] - joined_[axis]);
    }
    const Ints none(x_.rank(), 0);
    return pad(reshape(broadcast_in_dim(y, shape_of(split_), outer_), shape_of(joined_)),
               y.builder().number(0, y.dtype()), none, high, none);
  }

 private:
  Shape x_;
  Ints split_;
  Ints joined_;
  Ints outer_;
  Ints inner_;
};

}  // namespace

Values emit_avg_pool(const Call& call) {
  const Value& x = call.in(0);
  const WindowNumbers window = window_of(call.as<WindowAttributes>(), x.shape(), call.shape());
  const Tiles tiles(window, x.shape(), call.shape());
  const Value sums =
      Tiles::are(window)
          ? sum(tiles.of(x), tiles.inner())
          : reduce_window(Code::add_, x, call.builder.number(0, x.dtype()), window, call.shape());
  return {sums / counts(window, call.builder, x.shape(), call.shape(), x.dtype())};
}

Values emit_avg_pool_gradient(const Call& call) {
  const Value& dy = call.in(0);
  const WindowNumbers window = window_of(call.as<WindowAttributes>(), call.shape(), dy.shape());
  const Value shares = dy / counts(window, call.builder, call.shape(), dy.shape(), dy.dtype());
  if (Tiles::are(window)) {
    return {Tiles(window, call.shape(), dy.shape()).spread(shares)};
  }
  return {reduce_window(Code::add_, shares, call.builder.number(0, dy.dtype()),
                        backwards(window, call.shape(), dy.shape()), call.shape())};
}

Values emit_max_pool(const Call& call) {
  const Value& x = call.in(0);
  const WindowNumbers window = window_of(call.as<WindowAttributes>(), x.shape(), call.shape());
  const Tiles tiles(window, x.shape(), call.shape());
  return {Tiles::are(window) ? largest(tiles.of(x), tiles.inner())
                             : reduce_window(Code::maximum_, x, lowest(call.builder, x.dtype()),
                                             window, call.shape())};
}

namespace {

/// The signed integers of as many bits.
DType integers_like(DType dtype) {
  switch (info(dtype).bytes) {
    case 2:
      return DType::i16;
    case 4:
      return DType::i32;
    default:
      return DType::i64;
  }
}

/// Integers in the order of floating numbers, with both zeros equal, and a NaN above all; none is
/// the smallest of the dtype.
Value order_of(const Value& x) {
  const DType dtype = integers_like(x.dtype());
  const Value bits = bitcast(x, dtype);
  const Value least = lowest(x.builder(), dtype);
  const Value ordered = select(compare("LT", bits, 0), least - bits, bits);
  return select(is_nan(x), least - 1.0, ordered);  // Wraps around: the largest.
}

/// The sums of the cotangents of windows whose maximum is an element of x or padding. `stays`
/// compares an element with a later one.
Value scattered(const Value& padded, const Value& dy, const Value& zero,
                const WindowNumbers& window, const Body& stays, const Body& sum) {
  Builder& builder = dy.builder();
  const ir::Type element{{}, padded.dtype()};
  std::vector<Region> regions;
  regions.push_back(builder.region({element, element}, stays));
  regions.push_back(builder.region({element, element}, sum));
  return builder.append_one(Code::select_and_scatter_, {padded, dy, zero}, padded.type(),
                            {{"window_dimensions", window.size},
                             {"window_strides", window.strides},
                             {"padding", Matrix{2, Ints(2 * padded.rank(), 0)}}},
                            std::move(regions));
}

/// The same for windows that cross the border: integers have a value below minus infinity, which
/// padding needs so that it is never selected.
Value scattered_by_order(const Value& x, const Value& dy, const WindowNumbers& window) {
  const DType dtype = x.dtype();
  const Value order = order_of(x);
  const Value padded =
      pad(order, lowest(x.builder(), order.dtype()), window.low, window.high, Ints(x.rank(), 0));
  const Value bits = bitcast(dy, order.dtype());
  const Value sums = scattered(
      padded, bits, x.builder().number(0, order.dtype()), window,
      [](const Values& values) { return Values{compare("GE", values[0], values[1])}; },
      [dtype](const Values& values) {
        return Values{
            bitcast(bitcast(values[0], dtype) + bitcast(values[1], dtype), values[0].dtype())};
      });
  return bitcast(sums, dtype);
}

}  // namespace

Values emit_max_pool_gradient(const Call& call) {
  const Value& x = call.in(0);
  const Value& dy = call.in(1);
  const WindowNumbers window = window_of(call.as<WindowAttributes>(), x.shape(), dy.shape());
  if (window.window_dilations != Ints(x.rank(), 1)) {
    return emit_dilated_max_pool_gradient(call);  // The specification's windows are dense here.
  }
  // The specification allows padding to be selected as the initial value. So padding is added
  // before, and cut off after; a negative amount the other way round.
  const Ints none(x.rank(), 0);
  const Value zero = call.builder.number(0, x.dtype());
  const Value sums =
      reaches_over_the_edge(window)
          ? scattered_by_order(x, dy, window)
          : scattered(
                pad(x, zero, window.low, window.high, none), dy, zero, window,
                // Of equal elements the first stays; a NaN counts as largest.
                [](const Values& values) {
                  return Values{compare("GE", values[0], values[1]) | is_nan(values[0])};
                },
                [](const Values& values) { return Values{values[0] + values[1]}; });
  return {pad(sums, zero, negated(window.low), negated(window.high), none)};
}

}  // namespace ddx::stablehlo::detail
