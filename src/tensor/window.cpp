#include "ddx/ops/window.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/options.h"

#include "tensor/detail/dispatch.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string>
#include <vector>

namespace ddx::detail {
namespace {

/// The elements of the input that a window reaches over along an axis.
std::int64_t reach(const ops::Site& site, const ops::WindowAttributes& w, std::size_t axis) {
  return site.sum(site.product(site.difference(w.size[axis], 1), w.dilations[axis]), 1);
}

/// The padding that makes the output extent ceil(extent / stride).
std::int64_t same_padding(const ops::Site& site, std::int64_t extent, std::int64_t window,
                          std::int64_t stride) {
  if (stride <= 0 || extent == 0) {
    return 0;  // The shape rule has a word for that.
  }
  const std::int64_t places = (extent - 1) / stride + 1;
  // The last place is at most at the last element.
  return std::max<std::int64_t>(site.sum((places - 1) * stride - extent, window), 0);
}

/// The window with its padding as amounts. Shapes of another rank are left to the shape rule.
ops::WindowAttributes placed(const ops::Site& site, const WindowMotion& motion,
                             const Shape& input) {
  ops::WindowAttributes w = motion.window;
  switch (motion.padding.kind) {
    case Padding::Kind::Valid:
      break;
    case Padding::Kind::Same:
      for (std::size_t axis = 0; axis < w.axes && input.rank() == w.axes + 2; ++axis) {
        const std::int64_t amount =
            same_padding(site, input[axis + 1], reach(site, w, axis), w.strides[axis]);
        w.low[axis] = amount / 2;
        w.high[axis] = amount - w.low[axis];
      }
      break;
    case Padding::Kind::Amounts:
      w.low = motion.padding.low;
      w.high = motion.padding.high;
      break;
  }
  return w;
}

/// As above, with the size that `filter` has.
ops::WindowAttributes placed(const ops::Site& site, const WindowMotion& motion, const Shape& input,
                             const Shape& filter) {
  WindowMotion sized = motion;
  for (std::size_t axis = 0; axis < motion.window.axes && axis < filter.rank(); ++axis) {
    sized.window.size[axis] = filter[axis];
  }
  return placed(site, sized, input);
}

ops::Site site_of(const WindowMotion& motion, const Location& where) {
  const ops::Site site{motion.operation, where};
  if (motion.padding.kind == Padding::Kind::Amounts && motion.padding.axes != motion.window.axes) {
    site.fail("padding is given for " + std::to_string(motion.padding.axes) +
              " axes, the window moves over " + std::to_string(motion.window.axes));
  }
  return site;
}

/// The extent from which a convolution gives `places`, where none is asked for.
std::int64_t usual_extent(const ops::Site& site, const WindowMotion& motion,
                          const ops::WindowAttributes& w, std::size_t axis, std::int64_t places) {
  if (motion.padding.kind == Padding::Kind::Same) {
    return site.product(places, w.strides[axis]);
  }
  const std::int64_t last = site.product(std::max<std::int64_t>(places - 1, 0), w.strides[axis]);
  const std::int64_t padded = site.sum(last, reach(site, w, axis));
  return site.difference(site.difference(padded, motion.padding.low[axis]),
                         motion.padding.high[axis]);
}

}  // namespace

Array convolution(const Array& input, const Array& filter, const WindowMotion& motion,
                  const Location& where) try {
  const ops::Site site = site_of(motion, where);
  const ops::WindowAttributes window = placed(site, motion, input.shape(), filter.shape());
  const Shape shape = ops::convolution_shape(site, input.shape(), filter.shape(), window);
  const Device device = common_device(site, {&input, &filter});
  return compute(ops::Op::convolution, input.dtype(), device, shape, input.dtype(),
                 std::array{input.view(), filter.view()}, window, {.site = site});
} catch (const std::bad_alloc&) {
  throw_out_of_memory("convolution");
}

Array convolution_input_gradient(const Array& dy, const Array& filter, const Shape& input,
                                 const WindowMotion& motion, const Location& where) try {
  const ops::Site site = site_of(motion, where);
  const Device device = common_device(site, {&dy, &filter});
  return compute(ops::Op::convolution_input_gradient, dy.dtype(), device, input, dy.dtype(),
                 std::array{dy.view(), filter.view()}, placed(site, motion, input, filter.shape()),
                 {.site = site});
} catch (const std::bad_alloc&) {
  throw_out_of_memory("convolution_input_gradient");
}

Array convolution_filter_gradient(const Array& input, const Array& dy, const Shape& filter,
                                  const WindowMotion& motion) {
  return compute(ops::Op::convolution_filter_gradient, dy.dtype(), dy.device(), filter, dy.dtype(),
                 std::array{input.view(), dy.view()},
                 placed(site_of(motion, {}), motion, input.shape(), filter));
}

Shape transposed_shape(const Shape& y, const Shape& k, std::span<const std::int64_t> extents,
                       const WindowMotion& motion, const Location& where) try {
  const ops::Site site = site_of(motion, where);
  const std::string shapes = "shapes " + to_string(y) + " and " + to_string(k);
  const std::size_t rank = motion.window.axes + 2;
  if (y.rank() != rank || k.rank() != rank) {
    site.fail("ranks " + std::to_string(y.rank()) + " and " + std::to_string(k.rank()) +
              " are not both " + std::to_string(rank) + "; " + shapes);
  }
  if (y[rank - 1] != k[rank - 1]) {
    site.fail("channels " + std::to_string(y[rank - 1]) + " and " + std::to_string(k[rank - 1]) +
              " differ; " + shapes);
  }
  const ops::WindowAttributes window = placed(site, motion, y, k);
  std::vector<std::int64_t> input{y[0]};
  for (std::size_t axis = 0; axis < window.axes; ++axis) {
    const std::int64_t extent =
        extents[axis] == 0 ? usual_extent(site, motion, window, axis, y[axis + 1]) : extents[axis];
    if (extent < 0) {
      site.fail("extent " + std::to_string(extent) + " of the result is negative; " + shapes);
    }
    input.push_back(extent);
  }
  input.push_back(site.product(k[rank - 2], std::max<std::int64_t>(motion.window.groups, 0)));
  const Shape shape = site.shape(input);
  const Shape back = ops::convolution_shape(site, shape, k, placed(site, motion, shape, k));
  if (back != y) {
    site.fail("the convolution of shape " + to_string(shape) + " gives shape " + to_string(back) +
              ", not " + to_string(y));
  }
  return shape;
} catch (const std::bad_alloc&) {
  throw_out_of_memory("transposed_shape");
}

Shape grouped_filter(const Shape& input, const Shape& filter, const WindowMotion& motion,
                     const Location& where) try {
  const ops::Site site = site_of(motion, where);
  const std::string shapes = "shapes " + to_string(input) + " and " + to_string(filter);
  const std::size_t rank = motion.window.axes + 2;
  if (input.rank() != rank || filter.rank() != rank) {
    site.fail("ranks " + std::to_string(input.rank()) + " and " + std::to_string(filter.rank()) +
              " are not both " + std::to_string(rank) + "; " + shapes);
  }
  if (input[rank - 1] != filter[rank - 2]) {
    site.fail("channels " + std::to_string(input[rank - 1]) + " and " +
              std::to_string(filter[rank - 2]) + " differ; " + shapes);
  }
  std::vector<std::int64_t> extents(filter.extents().begin(), filter.extents().end());
  extents[rank - 1] *= extents[rank - 2];
  extents[rank - 2] = 1;
  return site.shape(extents);
} catch (const std::bad_alloc&) {
  throw_out_of_memory("grouped_filter");
}

Array pool(ops::Op op, const Array& x, const WindowMotion& motion, const Location& where) try {
  const ops::Site site = site_of(motion, where);
  const ops::WindowAttributes window = placed(site, motion, x.shape());
  const Shape shape = ops::pool_shape(site, x.shape(), window);
  return compute(op, x.dtype(), x.device(), shape, x.dtype(), std::array{x.view()}, window,
                 {.site = site});
} catch (const std::bad_alloc&) {
  throw_out_of_memory(to_string(op));
}

Array avg_pool_gradient(const Array& dy, const Shape& input, const WindowMotion& motion) {
  return compute(ops::Op::avg_pool_gradient, dy.dtype(), dy.device(), input, dy.dtype(),
                 std::array{dy.view()}, placed(site_of(motion, {}), motion, input));
}

ops::WindowAttributes placed_window(const WindowMotion& motion, const Shape& input) {
  return placed(site_of(motion, {}), motion, input);
}

ops::WindowAttributes placed_window(const WindowMotion& motion, const Shape& input,
                                    const Shape& filter) {
  ops::WindowAttributes window = placed(site_of(motion, {}), motion, input, filter);
  for (std::size_t axis = 0; axis < window.axes; ++axis) {
    window.size[axis] = filter[axis];
  }
  return window;
}

WindowPlaces places_in_windows(const ops::WindowAttributes& window, std::int64_t i,
                               const Shape& input, const Shape& windows) {
  const ops::WindowAttributes::PerAxis place{i / (window.size[1] * window.size[2]),
                                             i / window.size[2] % window.size[1],
                                             i % window.size[2]};
  std::vector<std::int64_t> low{0}, high{0}, start{0}, stop{input[0]}, step{1};
  for (std::size_t axis = 0; axis < window.axes; ++axis) {
    low.push_back(window.low[axis]);
    high.push_back(window.high[axis]);
    const std::int64_t first = place[axis] * window.dilations[axis];
    start.push_back(first);
    stop.push_back(first + (windows[axis + 1] - 1) * window.strides[axis] + 1);
    step.push_back(window.strides[axis]);
  }
  low.push_back(0);
  high.push_back(0);
  start.push_back(0);
  stop.push_back(input[input.rank() - 1]);
  step.push_back(1);
  return {Indices(low),
          Indices(high),
          {.start = Indices(start), .stop = Indices(stop), .step = Indices(step)}};
}

Array max_pool_gradient(const Array& input, const Array& dy, const WindowMotion& motion) {
  return compute(ops::Op::max_pool_gradient, dy.dtype(), dy.device(), input.shape(), dy.dtype(),
                 std::array{input.view(), dy.view()},
                 placed(site_of(motion, {}), motion, input.shape()));
}

Array grey_dilation(const Array& input, const Array& filter, const WindowMotion& motion,
                    const Location& where) try {
  const ops::Site site = site_of(motion, where);
  const ops::WindowAttributes window = placed(site, motion, input.shape(), filter.shape());
  const Shape shape = ops::morphology_shape(site, input.shape(), filter.shape(), window);
  const Device device = common_device(site, {&input, &filter});
  return compute(ops::Op::grey_dilation, input.dtype(), device, shape, input.dtype(),
                 std::array{input.view(), filter.view()}, window, {.site = site});
} catch (const std::bad_alloc&) {
  throw_out_of_memory("grey_dilation");
}

Array grey_dilation_gradient(ops::Op op, const Array& input, const Array& filter, const Array& dy,
                             const WindowMotion& motion) {
  const Shape& shape = op == ops::Op::grey_dilation_input_gradient ? input.shape() : filter.shape();
  return compute(op, dy.dtype(), dy.device(), shape, dy.dtype(),
                 std::array{input.view(), filter.view(), dy.view()},
                 placed(site_of(motion, {}), motion, input.shape(), filter.shape()));
}

}  // namespace ddx::detail
