// Dilations of grey images and their gradients. The specification has no window of sums, so the
// elements of the filter are processed one by one, each with the whole image.

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"

#include "stablehlo/detail/builder.h"
#include "stablehlo/detail/call.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace ddx::stablehlo::detail {
namespace {

using ops::Op;
using ops::WindowAttributes;

/// The window over an image x [n, x_i..., c] that gives y [n, y_i..., c].
class Geometry {
 public:
  Geometry(const WindowAttributes& window, const Shape& x, const Shape& y)
      : window_(window), x_(x), y_(y) {}

  /// The positions of the filter, in row-major order.
  [[nodiscard]] std::vector<Ints> elements() const {
    std::vector<Ints> places{{}};
    for (std::size_t axis = 0; axis < window_.axes; ++axis) {
      std::vector<Ints> longer;
      for (const Ints& place : places) {
        for (std::int64_t i = 0; i < window_.size[axis]; ++i) {
          longer.push_back(place);
          longer.back().push_back(i);
        }
      }
      places = std::move(longer);
    }
    return places;
  }

  /// For each window the element of x at one position of the filter; `fill` outside.
  [[nodiscard]] Value met(const Value& x, const Value& fill, const Ints& element) const {
    Ints low(x.rank(), 0);
    Ints high(x.rank(), 0);
    Ints strides(x.rank(), 1);
    for (std::size_t axis = 0; axis < window_.axes; ++axis) {
      const Span span = span_of(axis, element[axis]);
      low[axis + 1] = -span.first;
      high[axis + 1] = span.last + 1 - x_[axis + 1];
      strides[axis + 1] = window_.strides[axis];
    }
    const Value all = pad(x, fill, low, high, Ints(x.rank(), 0));
    const Ints limit(all.shape().extents().begin(), all.shape().extents().end());
    return slice(all, Ints(x.rank(), 0), limit, strides);
  }

  /// The transpose: the value of each window, added to its element of x; zeros elsewhere.
  [[nodiscard]] Value brought(const Value& dy, const Ints& element) const {
    Ints low(dy.rank(), 0);
    Ints high(dy.rank(), 0);
    Ints interior(dy.rank(), 0);
    for (std::size_t axis = 0; axis < window_.axes; ++axis) {
      const Span span = span_of(axis, element[axis]);
      low[axis + 1] = span.first;
      high[axis + 1] = x_[axis + 1] - span.last - 1;
      interior[axis + 1] = window_.strides[axis] - 1;
    }
    return pad(dy, dy.builder().number(0, dy.dtype()), low, high, interior);
  }

  /// The weights at one position of the filter, one for each channel.
  [[nodiscard]] Value weights(const Value& filter, const Ints& element) const {
    Ints start = element;
    Ints limit;
    for (const std::int64_t i : element) {
      limit.push_back(i + 1);
    }
    start.push_back(0);
    limit.push_back(filter.extent(window_.axes));
    return reshape(slice(filter, start, limit, Ints(start.size(), 1)), Shape{limit.back()});
  }

 private:
  struct Span {
    std::int64_t first;
    std::int64_t last;
  };

  /// The range in x, padding included, of one position of the filter along an axis.
  [[nodiscard]] Span span_of(std::size_t axis, std::int64_t i) const {
    const std::int64_t first = i * window_.dilations[axis] - window_.low[axis];
    return {first, first + (y_[axis + 1] - 1) * window_.strides[axis]};
  }

  const WindowAttributes& window_;
  Shape x_;
  Shape y_;
};

/// The largest sums, and the position of the filter of each: -1 if a window contains no element.
struct Largest {
  Value sum;
  Value place;
};

Largest largest_sums(const Geometry& geometry, const Value& x, const Value& filter,
                     const Shape& y) {
  Builder& builder = x.builder();
  const Value inside = builder.filled(1, x.shape(), DType::boolean);
  Largest best{broadcast_in_dim(lowest(builder, x.dtype()), y, {}),
               builder.filled(-1, y, DType::i32)};
  const std::vector<Ints> elements = geometry.elements();
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const Value values = geometry.met(x, builder.number(0, x.dtype()), elements[i]);
    const Value exists = geometry.met(inside, builder.number(0, DType::boolean), elements[i]);
    const Value sum = values + geometry.weights(filter, elements[i]);
    const Value takes_place = compare("LT", best.place, 0) | compare("GT", sum, best.sum) |
                              (is_nan(sum) & ~is_nan(best.sum));
    const Value taken = exists & takes_place;
    best = {select(taken, sum, best.sum), select(taken, static_cast<double>(i), best.place)};
  }
  return best;
}

/// The cotangents of windows, added to the largest element of each.
Value brought_to_largest(const Geometry& geometry, const Largest& best, const Value& dy,
                         const ir::Type& x) {
  Value result = dy.builder().zeros(x);
  const std::vector<Ints> elements = geometry.elements();
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const Value share = select(compare("EQ", best.place, static_cast<double>(i)), dy, 0);
    result = result + geometry.brought(share, elements[i]);
  }
  return result;
}

/// The sum of the cotangents of windows for each weight that their largest sums have.
Value sums_for_weights(const Geometry& geometry, const Largest& best, const Value& dy,
                       const Shape& filter) {
  Values rows;
  const std::size_t count = geometry.elements().size();
  for (std::size_t i = 0; i < count; ++i) {
    const Value share = select(compare("EQ", best.place, static_cast<double>(i)), dy, 0);
    const Value total = sum(share, first_integers(dy.rank() - 1));
    rows.push_back(reshape(total, Shape{1, total.extent(0)}));
  }
  return reshape(concatenate(rows, 0), filter);
}

}  // namespace

Values emit_grey_dilation(const Call& call) {
  const Value& x = call.in(0);
  const bool is_gradient = call.op != Op::grey_dilation;
  const Shape& y = is_gradient ? call.in(2).shape() : call.shape();
  const Geometry geometry(call.as<WindowAttributes>(), x.shape(), y);
  const Largest best = largest_sums(geometry, x, call.in(1), y);
  if (!is_gradient) {
    return {best.sum};
  }
  return {call.op == Op::grey_dilation_input_gradient
              ? brought_to_largest(geometry, best, call.in(2), x.type())
              : sums_for_weights(geometry, best, call.in(2), call.shape())};
}

Values emit_dilated_max_pool_gradient(const Call& call) {
  const auto& window = call.as<WindowAttributes>();
  const Value& x = call.in(0);
  Ints filter(window.size.begin(), window.size.begin() + static_cast<std::ptrdiff_t>(window.axes));
  filter.push_back(x.extent(x.rank() - 1));
  const Value weights = call.builder.zeros({shape_of(filter), x.dtype()});
  const Geometry geometry(window, x.shape(), call.in(1).shape());
  const Largest best = largest_sums(geometry, x, weights, call.in(1).shape());
  return {brought_to_largest(geometry, best, call.in(1), x.type())};
}

}  // namespace ddx::stablehlo::detail
