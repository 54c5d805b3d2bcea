#include "backend/cpu/movement.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "backend/cpu/copy.h"
#include "backend/cpu/elements.h"
#include "backend/cpu/pool.h"
#include "ops/detail/numbers.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ddx::backend::cpu {
namespace {

std::size_t bytes_of(const ops::View& view) noexcept {
  return info(view.dtype()).bytes;
}

/// The address of an element of an operand.
const std::byte* element(const ops::View& view, std::int64_t offset) noexcept {
  return view.data<std::byte>() + offset * static_cast<std::int64_t>(bytes_of(view));
}

/// The address of an element of a result.
std::byte* result_element(const ops::View& view, std::int64_t offset) noexcept {
  return view.mutable_data<std::byte>() + offset * static_cast<std::int64_t>(bytes_of(view));
}

/// y[i] = x[base + i . strides]
void copy_strided(const ops::Call& call, std::int64_t base, const Strides& strides) noexcept {
  const Shape& shape = call.output().shape();
  copy_box({shape, strides, dense_strides(shape)}, element(call.input(0), base),
           result_element(call.output(), 0), bytes_of(call.output()));
}

void copy_all(const ops::Call& call) noexcept {
  copy_strided(call, 0, dense_strides(call.output().shape()));
}

void broadcast_to(const ops::Call& call) noexcept {
  copy_strided(call, 0, broadcast_strides(call.input(0).shape(), call.output().shape()));
}

void transpose(const ops::Call& call) noexcept {
  const Strides from = dense_strides(call.input(0).shape());
  const auto& order = call.attributes<ops::PermutationAttributes>().order;
  Strides strides{};
  for (std::size_t axis = 0; axis < call.output().shape().rank(); ++axis) {
    strides[axis] = from[order[axis]];
  }
  copy_strided(call, 0, strides);
}

/// Where a box begins in an array, and its strides there.
struct Placed {
  Placed(const ops::SliceAttributes& a, const Shape& whole) noexcept {
    const Strides dense = dense_strides(whole);
    for (std::size_t axis = 0; axis < whole.rank(); ++axis) {
      base += a.start[axis] * dense[axis];
      strides[axis] = a.step[axis] * dense[axis];
    }
  }

  std::int64_t base = 0;
  Strides strides{};
};

void slice(const ops::Call& call) noexcept {
  const Placed box(call.attributes<ops::SliceAttributes>(), call.input(0).shape());
  copy_strided(call, box.base, box.strides);
}

void reverse(const ops::Call& call) noexcept {
  const Shape& shape = call.output().shape();
  const auto& a = call.attributes<ops::AxesAttributes>();
  Strides strides = dense_strides(shape);
  std::int64_t base = 0;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    if (a.contains(axis)) {
      base += (shape[axis] - 1) * strides[axis];
      strides[axis] = -strides[axis];
    }
  }
  copy_strided(call, base, strides);
}

void update_slice(const ops::Call& call) noexcept {
  const Shape& shape = call.output().shape();
  if (call.output().data<std::byte>() != call.input(0).data<std::byte>()) {
    copy_all(call);
  }
  const Placed box(call.attributes<ops::SliceAttributes>(), shape);
  const ops::View& update = call.input(1);
  copy_box({update.shape(), dense_strides(update.shape()), box.strides}, element(update, 0),
           result_element(call.output(), box.base), bytes_of(update));
}

void update_at(const ops::Call& call) noexcept {
  const Shape& shape = call.output().shape();
  if (call.output().data<std::byte>() != call.input(0).data<std::byte>()) {
    copy_all(call);
  }
  const Strides to = dense_strides(shape);
  const ops::View& update = call.input(1);
  const std::int64_t place = *call.input(2).data<std::int32_t>();
  copy_box({update.shape(), dense_strides(update.shape()), to}, element(update, 0),
           result_element(call.output(), place * to[call.attributes<ops::AxisAttributes>().axis]),
           bytes_of(update));
}

/// Makes every element of the result that literal.
void fill(const ops::View& result, const ops::Literal& literal) noexcept {
  visit(result.dtype(), [&](auto type) {
    using T = decltype(type);
    const T value = ops::detail::element<T>(literal);
    T* y = result.mutable_data<T>();
    for_each_range(
        result.shape().count(), movement_grain,
        [=](std::int64_t begin, std::int64_t end) { std::fill(y + begin, y + end, value); });
  });
}

void pad(const ops::Call& call) noexcept {
  const auto& a = call.attributes<ops::PadAttributes>();
  const Shape& x = call.input(0).shape();
  const Shape& y = call.output().shape();
  fill(call.output(), a.value);
  const Strides from = dense_strides(x);
  const Strides to = dense_strides(y);
  // The operand's part that falls into the result.
  std::array<std::int64_t, Shape::max_rank> extents{};
  Box box{{}, from, to};
  std::int64_t first_from = 0;
  std::int64_t first_to = 0;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    const std::int64_t step = a.step[axis];
    const std::int64_t first = a.low[axis] < 0 ? (-a.low[axis] + step - 1) / step : 0;
    const std::int64_t room = y[axis] - a.low[axis];
    const std::int64_t past = std::min(x[axis], room > 0 ? (room - 1) / step + 1 : 0);
    extents[axis] = std::max<std::int64_t>(past - first, 0);
    first_from += first * from[axis];
    first_to += (a.low[axis] + first * step) * to[axis];
    box.to[axis] *= step;
  }
  box.shape = Shape(std::span<const std::int64_t>(extents.data(), x.rank()));
  copy_box(box, element(call.input(0), first_from), result_element(call.output(), first_to),
           bytes_of(call.output()));
}

void concatenate(const ops::Call& call) noexcept {
  const std::size_t along = call.attributes<ops::AxisAttributes>().axis;
  const Strides to = dense_strides(call.output().shape());
  std::int64_t start = 0;
  for (std::size_t i = 0; i < call.input_count(); ++i) {
    const ops::View& part = call.input(i);
    copy_box({part.shape(), dense_strides(part.shape()), to}, element(part, 0),
             result_element(call.output(), start * to[along]), bytes_of(part));
    start += part.shape()[along];
  }
}

}  // namespace

ops::Kernel movement_kernel(ops::Op op) noexcept {
  using ops::Op;
  if (op == Op::reshape) {
    return &copy_all;
  }
  if (op == Op::broadcast_to) {
    return &broadcast_to;
  }
  if (op == Op::transpose) {
    return &transpose;
  }
  if (op == Op::slice) {
    return &slice;
  }
  if (op == Op::reverse) {
    return &reverse;
  }
  if (op == Op::update_slice) {
    return &update_slice;
  }
  if (op == Op::update_at) {
    return &update_at;
  }
  if (op == Op::pad) {
    return &pad;
  }
  if (op == Op::concatenate) {
    return &concatenate;
  }
  return nullptr;
}

}  // namespace ddx::backend::cpu
