#include "ddx/tensor/indexing.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/indexing.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/operations.h"

#include "tensor/detail/complex_as_real.h"
#include "tensor/detail/dispatch.h"
#include "tensor/detail/indices_of.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ddx::detail {

namespace {

/// Of gather and take_along_axis: the indices choose along an axis of the operand.
std::optional<std::string> wrong_choice(const ops::Call& call) {
  const auto axis = call.attributes<ops::AxisAttributes>().axis;
  return ops::wrong_index("index", indices_of(call.input(1)), call.input(0).shape()[axis]);
}

/// Of scatter_sum and the gradients: the indices choose along an axis of the result. A gradient may
/// be run, or looked at, where the operation itself has failed unseen.
std::optional<std::string> wrong_place(const ops::Call& call) {
  const auto axis = call.attributes<ops::AxisAttributes>().axis;
  return ops::wrong_index("index", indices_of(call.input(1)), call.output().shape()[axis]);
}

/// Of narrowed_indices.
std::optional<std::string> wide_index(const ops::Call& call) {
  const ops::View& indices = call.input(0);
  const auto* index = indices.data<std::int64_t>();
  for (Shape::Extent i = 0; i < indices.shape().count(); ++i) {
    if (!std::in_range<std::int32_t>(index[i])) {
      return "index " + std::to_string(index[i]) + " at position " + std::to_string(i) +
             " does not fit into 32 bits; shape " + to_string(indices.shape());
    }
  }
  return std::nullopt;
}

}  // namespace

Array narrowed_indices(const char* operation, const Array& indices, const Location& where) try {
  return compute(ops::Op::cast, indices.dtype(), indices.device(), indices.shape(), DType::i32,
                 std::array{indices.view()}, ops::NoAttributes{},
                 {.before = wide_index, .site = {operation, where}});
} catch (const std::bad_alloc&) {
  throw_out_of_memory(operation);
}

Array gather(const Array& x, const Array& indices, std::int64_t axis, const Location& where) try {
  if (indices.dtype() == DType::i64) {
    return gather(x, narrowed_indices("gather", indices, where), axis, where);
  }
  const ops::Site site = site_of(ops::Op::gather, where);
  const auto [shape, attributes] = ops::gather_shape(site, x.shape(), indices.shape(), axis);
  const Device device = common_device(site, {&x, &indices});
  return compute(ops::Op::gather, x.dtype(), device, shape, x.dtype(),
                 std::array{x.view(), indices.view()}, attributes,
                 {.before = wrong_choice, .site = site});
} catch (const std::bad_alloc&) {
  throw_out_of_memory("gather");
}

Array gather_gradient(const Array& dy, const Array& indices, const Shape& shape, std::int64_t axis,
                      const Location& where) try {
  if (indices.dtype() == DType::i64) {
    return gather_gradient(dy, narrowed_indices("gather", indices, where), shape, axis, where);
  }
  const ops::AxisAttributes attributes{resolve_axis(axis, shape, "gather")};
  if (is_complex(dy.dtype())) {
    return from_pairs(gather_gradient(pairs_of(dy, dy.device()), indices, shape_of_pairs(shape),
                                      static_cast<std::int64_t>(attributes.axis), where));
  }
  return compute(ops::Op::gather_gradient, dy.dtype(), dy.device(), shape, dy.dtype(),
                 std::array{dy.view(), indices.view()}, attributes,
                 {.before = wrong_place, .site = site_of(ops::Op::gather, where)});
} catch (const std::bad_alloc&) {
  throw_out_of_memory("gather_gradient");
}

Array take_along_axis(const Array& x, const Array& indices, std::int64_t axis,
                      const Location& where) try {
  if (indices.dtype() == DType::i64) {
    return take_along_axis(x, narrowed_indices("take_along_axis", indices, where), axis, where);
  }
  const ops::Site site = site_of(ops::Op::take_along_axis, where);
  const ops::AxisAttributes attributes = ops::along_axis(site, x.shape(), indices.shape(), axis);
  const Device device = common_device(site, {&x, &indices});
  return compute(ops::Op::take_along_axis, x.dtype(), device, indices.shape(), x.dtype(),
                 std::array{x.view(), indices.view()}, attributes,
                 {.before = wrong_choice, .site = site});
} catch (const std::bad_alloc&) {
  throw_out_of_memory("take_along_axis");
}

Array take_along_axis_gradient(const Array& dy, const Array& indices, const Shape& shape,
                               std::int64_t axis, const Location& where) try {
  if (indices.dtype() == DType::i64) {
    return take_along_axis_gradient(dy, narrowed_indices("take_along_axis", indices, where), shape,
                                    axis, where);
  }
  const ops::AxisAttributes attributes{resolve_axis(axis, shape, "take_along_axis")};
  return compute(ops::Op::take_along_axis_gradient, dy.dtype(), dy.device(), shape, dy.dtype(),
                 std::array{dy.view(), indices.view()}, attributes,
                 {.before = wrong_place, .site = site_of(ops::Op::take_along_axis, where)});
} catch (const std::bad_alloc&) {
  throw_out_of_memory("take_along_axis_gradient");
}

Array scatter_sum(const char* operation, const Array& updates, const Array& indices,
                  const Shape& shape, std::int64_t axis, const Location& where) try {
  if (indices.dtype() == DType::i64) {
    return scatter_sum(operation, updates, narrowed_indices(operation, indices, where), shape, axis,
                       where);
  }
  const ops::Site site{operation, where};
  const auto [expected, attributes] = ops::gather_shape(site, shape, indices.shape(), axis);
  if (updates.shape() != expected) {
    site.fail("the updates have shape " + to_string(updates.shape()) + ", not " +
              to_string(expected) + ", for indices of shape " + to_string(indices.shape()));
  }
  const Device device = common_device(site, {&updates, &indices});
  return compute(ops::Op::gather_gradient, updates.dtype(), device, shape, updates.dtype(),
                 std::array{updates.view(), indices.view()}, attributes,
                 {.before = wrong_place, .site = site});
} catch (const std::bad_alloc&) {
  throw_out_of_memory(operation);
}

Shape segments_shape(const Shape& x, const Shape& segments, std::int64_t count,
                     const Location& where) try {
  const auto all = x.extents();
  const auto first = segments.extents();
  const bool fits =
      first.size() <= all.size() && std::equal(first.begin(), first.end(), all.begin());
  if (count < 0 || !fits) {
    ops::Site{"segment_sum", where}.fail(
        "the operand does not begin with the axes of the segments, or the count " +
        std::to_string(count) + " is negative; shapes " + to_string(x) + " and " +
        to_string(segments));
  }
  std::vector<std::int64_t> extents{count};
  extents.insert(extents.end(), all.begin() + static_cast<std::ptrdiff_t>(first.size()), all.end());
  return Shape(extents, "segment_sum", where);
} catch (const std::bad_alloc&) {
  throw_out_of_memory("segments_shape");
}

Array one_hot(const Array& indices, std::int64_t depth, DType dtype, const Location& where) try {
  if (indices.dtype() == DType::i64) {  // What does not fit gives zeros, as -1 does.
    constexpr std::int64_t none = -1;
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    const Array clamped = binary_right(
        ops::Op::minimum, binary_right(ops::Op::maximum, indices, literal(none)), literal(most));
    return one_hot(cast(clamped, DType::i32), depth, dtype, where);
  }
  const Shape shape = ops::one_hot_shape(site_of(ops::Op::one_hot, where), indices.shape(), depth);
  return compute(ops::Op::one_hot, dtype, indices.device(), shape, dtype,
                 std::array{indices.view()}, ops::NoAttributes{});
} catch (const std::bad_alloc&) {
  throw_out_of_memory("one_hot");
}

}  // namespace ddx::detail
