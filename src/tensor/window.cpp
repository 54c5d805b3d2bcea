#include "ddx/ops/window.h"

#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"
#include "ddx/tensor/convolution.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/pooling.h"

#include "tensor/detail/dispatch.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace ddx::detail {
namespace {

/// The padding that makes the output extent ceil(extent / stride).
std::int64_t same_padding(std::int64_t extent, std::int64_t window, std::int64_t stride) {
  if (stride <= 0 || extent == 0) {
    return 0;  // The shape rule has a word for that.
  }
  const std::int64_t places = (extent - 1) / stride + 1;
  return std::max<std::int64_t>((places - 1) * stride + window - extent, 0);
}

/// The window with its padding as amounts. Shapes of another rank than 4 are left to the shape
/// rule.
ops::WindowAttributes window_of(const Shape& input, Extent2D size, Extent2D strides,
                                const Padding& padding) {
  ops::WindowAttributes w{
      .height = size[0], .width = size[1], .stride_height = strides[0], .stride_width = strides[1]};
  switch (padding.kind) {
    case Padding::Kind::Valid:
      break;
    case Padding::Kind::Same:
      if (input.rank() == 4) {
        const std::int64_t rows = same_padding(input[1], size[0], strides[0]);
        const std::int64_t columns = same_padding(input[2], size[1], strides[1]);
        w.top = rows / 2;
        w.bottom = rows - w.top;
        w.left = columns / 2;
        w.right = columns - w.left;
      }
      break;
    case Padding::Kind::Amounts:
      w.top = padding.top;
      w.bottom = padding.bottom;
      w.left = padding.left;
      w.right = padding.right;
      break;
  }
  return w;
}

ops::WindowAttributes conv2d_window(const Shape& input, const Shape& filter,
                                    const Conv2DOptions& options) {
  const Extent2D size = filter.rank() == 4 ? Extent2D{filter[0], filter[1]} : Extent2D{1, 1};
  return window_of(input, size, options.strides, options.padding);
}

ops::WindowAttributes pool2d_window(const Shape& input, const Pool2DOptions& options) {
  const Extent2D strides = options.strides == Extent2D{0, 0} ? options.size : options.strides;
  return window_of(input, options.size, strides, options.padding);
}

}  // namespace

Array conv2d(const Array& input, const Array& filter, const Conv2DOptions& options,
             const Location& where) {
  const ops::Site site = site_of(ops::Op::conv2d, where);
  const ops::WindowAttributes window = conv2d_window(input.shape(), filter.shape(), options);
  const Shape shape = ops::conv2d_shape(site, input.shape(), filter.shape(), window);
  const Device device = common_device(site, {&input, &filter});
  return compute(ops::Op::conv2d, input.dtype(), device, shape, input.dtype(),
                 std::array{input.view(), filter.view()}, window);
}

Array conv2d_input_gradient(const Array& dy, const Array& filter, const Shape& input,
                            const Conv2DOptions& options) {
  return compute(ops::Op::conv2d_input_gradient, dy.dtype(), dy.device(), input, dy.dtype(),
                 std::array{dy.view(), filter.view()},
                 conv2d_window(input, filter.shape(), options));
}

Array conv2d_filter_gradient(const Array& input, const Array& dy, const Shape& filter,
                             const Conv2DOptions& options) {
  return compute(ops::Op::conv2d_filter_gradient, dy.dtype(), dy.device(), filter, dy.dtype(),
                 std::array{input.view(), dy.view()},
                 conv2d_window(input.shape(), filter, options));
}

Array pool2d(ops::Op op, const Array& x, const Pool2DOptions& options, const Location& where) {
  const ops::WindowAttributes window = pool2d_window(x.shape(), options);
  const Shape shape = ops::pool2d_shape(site_of(op, where), x.shape(), window);
  return compute(op, x.dtype(), x.device(), shape, x.dtype(), std::array{x.view()}, window);
}

Array avg_pool2d_gradient(const Array& dy, const Shape& input, const Pool2DOptions& options) {
  return compute(ops::Op::avg_pool2d_gradient, dy.dtype(), dy.device(), input, dy.dtype(),
                 std::array{dy.view()}, pool2d_window(input, options));
}

Array max_pool2d_gradient(const Array& input, const Array& dy, const Pool2DOptions& options) {
  return compute(ops::Op::max_pool2d_gradient, dy.dtype(), dy.device(), input.shape(), dy.dtype(),
                 std::array{input.view(), dy.view()}, pool2d_window(input.shape(), options));
}

}  // namespace ddx::detail
