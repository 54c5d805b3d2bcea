// Products of matrices, convolutions and their gradients. Axes of samples come first and channels
// last, in operands and results.

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"
#include "ddx/ops/quantized.h"
#include "ddx/stablehlo/module.h"

#include "stablehlo/detail/builder.h"
#include "stablehlo/detail/call.h"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

namespace ddx::stablehlo::detail {

Values emit_matmul(const Call& call) {
  const auto& attributes = call.as<ops::MatmulAttributes>();
  const Value& a = call.in(0);
  const Value& b = call.in(1);
  const auto inner_a = static_cast<std::int64_t>(a.rank() - (attributes.transpose_left ? 2 : 1));
  const auto inner_b = static_cast<std::int64_t>(b.rank() - (attributes.transpose_right ? 1 : 2));
  const bool stacked = a.rank() > 2 && b.rank() > 2;
  const Ints batch = stacked ? first_integers(a.rank() - 2) : Ints{};
  if (a.rank() == 2 && b.rank() > 2) {
    // The batch axes would be after the rows. The other way round, only the last axes are swapped.
    const Value product = dot(b, a, {{}, {}, {inner_b}, {inner_a}}, call.fast_products);
    Ints order = first_integers(b.rank());
    std::swap(order[b.rank() - 1], order[b.rank() - 2]);
    return {convert(transpose(product, order), call.dtype())};
  }
  return {
      convert(dot(a, b, {batch, batch, {inner_a}, {inner_b}}, call.fast_products), call.dtype())};
}

// Operands x, numbers, scales; result y. By the elements of the matrix.
Values emit_quantized_matmul(const Call& call) {
  const auto bits = call.as<ops::QuantizedAttributes>().bits;
  const Value& x = call.in(0);
  const std::int64_t rows = call.in(2).extent(0);
  const std::int64_t groups = call.in(2).extent(1);
  Value numbers = reshape(call.in(1), Shape{rows, groups, ops::quantized_group * bits / 8});
  if (bits == 4) {
    const Value high = numbers / 16;
    numbers = concatenate({numbers - high * 16, high}, 2);
  }
  const Value centred =
      convert(numbers, call.dtype()) - static_cast<double>(ops::quantized_zero(bits));
  const Value scales = reshape(convert(call.in(2), call.dtype()), Shape{rows, groups, 1});
  const Value elements = reshape(centred * stretched(scales, centred.shape()),
                                 Shape{rows, groups * ops::quantized_group});
  const auto last = static_cast<std::int64_t>(x.rank()) - 1;
  const Value w = slice_axis(elements, 1, 0, x.extent(x.rank() - 1));
  return {dot(x, w, {{}, {}, {last}, {1}}, call.fast_products)};
}

namespace {

using ops::WindowAttributes;

/// The roles of the axes of an operand or the result of a convolution.
struct Axes {
  std::int64_t first;   ///< Samples, or the input channels of a filter.
  std::int64_t second;  ///< Channels, or the output channels of a filter.
  Ints window;
};

struct ConvolutionNumbers {
  Axes input;
  Axes filter;
  Axes output;
  Ints strides;
  Ints low;
  Ints high;
  Ints input_dilation;
  Ints filter_dilation;
  std::int64_t groups = 1;
  std::int64_t sample_groups = 1;
};

Value convolution(const Value& x, const Value& filter, const ConvolutionNumbers& c,
                  const Shape& shape, bool fast) {
  Matrix padding{2, {}};
  for (std::size_t axis = 0; axis < c.low.size(); ++axis) {
    padding.values.push_back(c.low[axis]);
    padding.values.push_back(c.high[axis]);
  }
  const Fields numbers{"conv",
                       {{"input_batch_dimension", false, {c.input.first}},
                        {"input_feature_dimension", false, {c.input.second}},
                        {"input_spatial_dimensions", true, c.input.window},
                        {"kernel_input_feature_dimension", false, {c.filter.first}},
                        {"kernel_output_feature_dimension", false, {c.filter.second}},
                        {"kernel_spatial_dimensions", true, c.filter.window},
                        {"output_batch_dimension", false, {c.output.first}},
                        {"output_feature_dimension", false, {c.output.second}},
                        {"output_spatial_dimensions", true, c.output.window}}};
  const Value y =
      x.builder().append_one(Code::convolution_, {x, filter}, {shape, computed_in(x.dtype())},
                             {{"window_strides", c.strides},
                              {"padding", padding},
                              {"lhs_dilation", c.input_dilation},
                              {"rhs_dilation", c.filter_dilation},
                              {"dimension_numbers", numbers},
                              {"feature_group_count", Integer{c.groups}},
                              {"batch_group_count", Integer{c.sample_groups}},
                              {"precision_config", precision(x.dtype(), fast)}});
  return convert(y, x.dtype());
}

/// 1 ... n: the window axes of arrays; those of a filter are 0 ... n - 1.
Ints window_axes(std::size_t count) {
  Ints axes(count);
  std::iota(axes.begin(), axes.end(), 1);
  return axes;
}

/// The positions that a filter covers along an axis, from first to last.
std::int64_t reach(const WindowAttributes& w, std::size_t axis) {
  return (w.size[axis] - 1) * w.dilations[axis] + 1;
}

Ints first_of(const WindowAttributes::PerAxis& numbers, std::size_t count) {
  return {numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(count)};
}

/// Swaps the last two axes of a filter [k..., c / groups, f] within each group: [k..., f / groups,
/// c].
Value exchanged_channels(const Value& filter, std::int64_t groups) {
  const std::size_t n = filter.rank() - 2;
  const std::int64_t inputs = filter.extent(n);
  const std::int64_t outputs = filter.extent(n + 1);
  Ints split(filter.shape().extents().begin(), filter.shape().extents().end());
  Ints joined = split;
  split[n + 1] = groups;
  split.push_back(outputs / groups);
  Ints order = first_integers(n + 3);
  std::swap(order[n], order[n + 2]);
  joined[n] = outputs / groups;
  joined[n + 1] = groups * inputs;
  return reshape(transpose(reshape(filter, shape_of(split)), order), shape_of(joined));
}

}  // namespace

// y[n, p, f] = sum_ic x[n, p s - low + i d, c] filter[i, c, f]
Values emit_convolution(const Call& call) {
  const auto& w = call.as<WindowAttributes>();
  const std::size_t n = w.axes;
  const auto last = static_cast<std::int64_t>(n + 1);
  ConvolutionNumbers c{.input = {0, last, window_axes(n)},
                       .filter = {last - 1, last, first_integers(n)},
                       .output = {0, last, window_axes(n)},
                       .strides = first_of(w.strides, n),
                       .low = first_of(w.low, n),
                       .high = {},
                       .input_dilation = Ints(n, 1),
                       .filter_dilation = first_of(w.dilations, n),
                       .groups = w.groups};
  for (std::size_t axis = 0; axis < n; ++axis) {
    c.high.push_back((call.shape()[axis + 1] - 1) * w.strides[axis] + reach(w, axis) - w.low[axis] -
                     call.in(0).extent(axis + 1));
  }
  return {convolution(call.in(0), call.in(1), c, call.shape(), call.fast_products)};
}

// dx[n, r, c] = sum over p and i with p s - low + i d = r of filter[i, c, f] dy[n, p, f]: a
// convolution of dy, with s - 1 zeros between its elements, with the reversed filter.
Values emit_convolution_input_gradient(const Call& call) {
  const auto& w = call.as<WindowAttributes>();
  const std::size_t n = w.axes;
  const auto last = static_cast<std::int64_t>(n + 1);
  const Value& dy = call.in(0);
  ConvolutionNumbers c{.input = {0, last, window_axes(n)},
                       .filter = {last - 1, last, first_integers(n)},
                       .output = {0, last, window_axes(n)},
                       .strides = Ints(n, 1),
                       .low = {},
                       .high = {},
                       .input_dilation = first_of(w.strides, n),
                       .filter_dilation = first_of(w.dilations, n),
                       .groups = w.groups};
  for (std::size_t axis = 0; axis < n; ++axis) {
    const std::int64_t spread = (dy.extent(axis + 1) - 1) * w.strides[axis] + 1;
    c.low.push_back(reach(w, axis) - 1 - w.low[axis]);
    c.high.push_back(call.shape()[axis + 1] + reach(w, axis) - 1 - spread - c.low[axis]);
  }
  const Value filter = reverse(exchanged_channels(call.in(1), w.groups), first_integers(n));
  return {convolution(dy, filter, c, call.shape(), call.fast_products)};
}

// dfilter[i, c, f] = sum_np x[n, p s - low + i d, c] dy[n, p, f]: a convolution whose samples are
// the channels of x, and whose channels are the samples.
Values emit_convolution_filter_gradient(const Call& call) {
  const auto& w = call.as<WindowAttributes>();
  const std::size_t n = w.axes;
  const auto last = static_cast<std::int64_t>(n + 1);
  const Value& x = call.in(0);
  const Value& dy = call.in(1);
  ConvolutionNumbers c{.input = {last, 0, window_axes(n)},
                       .filter = {0, last, window_axes(n)},
                       .output = {last - 1, last, first_integers(n)},
                       .strides = first_of(w.dilations, n),
                       .low = first_of(w.low, n),
                       .high = {},
                       .input_dilation = Ints(n, 1),
                       .filter_dilation = first_of(w.strides, n),
                       .sample_groups = w.groups};
  for (std::size_t axis = 0; axis < n; ++axis) {
    const std::int64_t spread = (dy.extent(axis + 1) - 1) * w.strides[axis] + 1;
    c.high.push_back(reach(w, axis) - 1 + spread - w.low[axis] - x.extent(axis + 1));
  }
  return {convolution(x, dy, c, call.shape(), call.fast_products)};
}

}  // namespace ddx::stablehlo::detail
