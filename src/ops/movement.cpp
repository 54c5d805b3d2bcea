#include "ddx/ops/movement.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "ops/detail/around_axis.h"
#include "ops/detail/dispatch_dtype.h"
#include "ops/detail/numbers.h"
#include "ops/detail/strided_loop.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace ddx::ops {
namespace {

// W is a word as large as an element.

/// y[i] = x[base + i . strides]
template <class W>
void copy_strided(const Call& call, std::int64_t base, const Strides& strides) noexcept {
  const auto* x = call.input(0).data<W>();
  auto* y = call.output().mutable_data<W>();
  const Shape& shape = call.output().shape();
  detail::for_each_offset(shape, std::array{strides, dense_strides(shape)},
                          [&](const auto& at) { y[at[1]] = x[base + at[0]]; });
}

template <class W>
void reshape(const Call& call) noexcept {
  const auto* x = call.input(0).data<W>();
  std::copy(x, x + call.output().shape().count(), call.output().mutable_data<W>());
}

template <class W>
void broadcast_to(const Call& call) noexcept {
  copy_strided<W>(call, 0, broadcast_strides(call.input(0).shape(), call.output().shape()));
}

template <class W>
void transpose(const Call& call) noexcept {
  const Strides from = dense_strides(call.input(0).shape());
  const auto& order = call.attributes<PermutationAttributes>().order;
  Strides strides{};
  for (std::size_t axis = 0; axis < call.output().shape().rank(); ++axis) {
    strides[axis] = from[order[axis]];
  }
  copy_strided<W>(call, 0, strides);
}

template <class W>
void slice(const Call& call) noexcept {
  const Strides from = dense_strides(call.input(0).shape());
  const auto& a = call.attributes<SliceAttributes>();
  std::int64_t base = 0;
  Strides strides{};
  for (std::size_t axis = 0; axis < call.output().shape().rank(); ++axis) {
    base += a.start[axis] * from[axis];
    strides[axis] = a.step[axis] * from[axis];
  }
  copy_strided<W>(call, base, strides);
}

template <class W>
void reverse(const Call& call) noexcept {
  const Shape& shape = call.output().shape();
  const auto& a = call.attributes<AxesAttributes>();
  Strides strides = dense_strides(shape);
  std::int64_t base = 0;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    if (a.contains(axis)) {
      base += (shape[axis] - 1) * strides[axis];
      strides[axis] = -strides[axis];
    }
  }
  copy_strided<W>(call, base, strides);
}

template <class W>
void update_slice(const Call& call) noexcept {
  const auto* x = call.input(0).data<W>();
  const auto* update = call.input(1).data<W>();
  auto* y = call.output().mutable_data<W>();
  const Shape& shape = call.output().shape();
  if (y != x) {
    std::copy(x, x + shape.count(), y);
  }
  const auto& a = call.attributes<SliceAttributes>();
  const Strides to = dense_strides(shape);
  std::int64_t base = 0;
  Strides strides{};
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    base += a.start[axis] * to[axis];
    strides[axis] = a.step[axis] * to[axis];
  }
  const Shape& box = call.input(1).shape();
  detail::for_each_offset(box, std::array{dense_strides(box), strides},
                          [&](const auto& at) { y[base + at[1]] = update[at[0]]; });
}

template <class W>
void update_at(const Call& call) noexcept {
  const auto* x = call.input(0).data<W>();
  const auto* update = call.input(1).data<W>();
  auto* y = call.output().mutable_data<W>();
  const Shape& shape = call.output().shape();
  if (y != x) {
    std::copy(x, x + shape.count(), y);
  }
  const std::size_t axis = call.attributes<AxisAttributes>().axis;
  const detail::AroundAxis whole(shape, axis);
  const std::int64_t count = call.input(1).shape()[axis] * whole.inner;
  const std::int64_t place = *call.input(2).data<std::int32_t>();
  for (std::int64_t outer = 0; outer < whole.outer; ++outer) {
    std::copy(update + outer * count, update + (outer + 1) * count,
              y + (outer * whole.extent + place) * whole.inner);
  }
}

/// The input's part that falls into the output, as a box, and where it begins in both.
struct PadBox {
  Shape shape;
  std::int64_t input = 0;
  std::int64_t output = 0;
  Strides output_strides{};
};

PadBox box_of(const PadAttributes& a, const Shape& x, const Shape& y) noexcept {
  const Strides from = dense_strides(x);
  const Strides to = dense_strides(y);
  std::array<std::int64_t, Shape::max_rank> extents{};
  PadBox box;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    const std::int64_t step = a.step[axis];
    const std::int64_t first = a.low[axis] < 0 ? (-a.low[axis] - 1) / step + 1 : 0;
    // Elements whose place low + i * step is before the output's end.
    const std::int64_t room = y[axis] - a.low[axis];
    const std::int64_t past = std::min(x[axis], room > 0 ? (room - 1) / step + 1 : 0);
    extents[axis] = std::max<std::int64_t>(past - first, 0);
    box.input += first * from[axis];
    box.output += (a.low[axis] + first * step) * to[axis];
    box.output_strides[axis] = step * to[axis];
  }
  box.shape = Shape(std::span<const std::int64_t>(extents.data(), x.rank()));
  return box;
}

template <class W>
void pad(const Call& call) noexcept {
  const auto& a = call.attributes<PadAttributes>();
  const auto* x = call.input(0).data<W>();
  auto* y = call.output().mutable_data<W>();
  std::fill(y, y + call.output().shape().count(),
            detail::word_of<W>(a.value, call.output().dtype()));
  const PadBox box = box_of(a, call.input(0).shape(), call.output().shape());
  detail::for_each_offset(box.shape,
                          std::array{dense_strides(call.input(0).shape()), box.output_strides},
                          [&](const auto& at) { y[box.output + at[1]] = x[box.input + at[0]]; });
}

template <class W>
void concatenate(const Call& call) noexcept {
  const std::size_t along = call.attributes<AxisAttributes>().axis;
  const Shape& shape = call.output().shape();
  const Strides strides = dense_strides(shape);
  std::int64_t start = 0;
  for (std::size_t part = 0; part < call.input_count(); ++part) {
    const auto* x = call.input(part).data<W>();
    auto* y = call.output().mutable_data<W>() + start * strides[along];
    const Shape& extents = call.input(part).shape();
    detail::for_each_offset(extents, std::array{dense_strides(extents), strides},
                            [&](const auto& at) { y[at[1]] = x[at[0]]; });
    start += extents[along];
  }
}

}  // namespace

Kernel movement_reference(Op op, DType dtype) noexcept {
  return detail::dispatch_size(dtype, [op](auto word) -> Kernel {
    using W = decltype(word);
    if (op == Op::reshape) {
      return &reshape<W>;
    }
    if (op == Op::broadcast_to) {
      return &broadcast_to<W>;
    }
    if (op == Op::transpose) {
      return &transpose<W>;
    }
    if (op == Op::slice) {
      return &slice<W>;
    }
    if (op == Op::reverse) {
      return &reverse<W>;
    }
    if (op == Op::update_slice) {
      return &update_slice<W>;
    }
    if (op == Op::update_at) {
      return &update_at<W>;
    }
    if (op == Op::pad) {
      return &pad<W>;
    }
    if (op == Op::concatenate) {
      return &concatenate<W>;
    }
    return nullptr;
  });
}

}  // namespace ddx::ops
