#include "ddx/tensor/indexing.h"

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/indexing.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/operations.h"

#include "tensor/detail/dispatch.h"
#include "tensor/detail/indices_of.h"
#include "tensor/detail/pairs.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ddx::detail {

namespace {

/// Of gather and take_along_axis: the indices choose along an axis of the operand.
void check_chosen(const ops::Call& call, const ops::Site& site) {
  const auto axis = call.attributes<ops::AxisAttributes>().axis;
  ops::check_indices(site, "index", indices_of(call.input(1)), call.input(0).shape()[axis]);
}

/// Of scatter_sum and the gradients: the indices choose along an axis of the result. A gradient may
/// be run, or looked at, where the operation itself has failed unseen.
void check_places(const ops::Call& call, const ops::Site& site) {
  const auto axis = call.attributes<ops::AxisAttributes>().axis;
  ops::check_indices(site, "index", indices_of(call.input(1)), call.output().shape()[axis]);
}

}  // namespace

Array gather(const Array& x, const Array& indices, std::int64_t axis, const Location& where) {
  const ops::Site site = site_of(ops::Op::gather, where);
  const auto [shape, attributes] = ops::gather_shape(site, x.shape(), indices.shape(), axis);
  const Device device = common_device(site, {&x, &indices});
  return compute(ops::Op::gather, x.dtype(), device, shape, x.dtype(),
                 std::array{x.view(), indices.view()}, attributes,
                 {.before = check_chosen, .site = site});
}

Array gather_gradient(const Array& dy, const Array& indices, const Shape& shape, std::int64_t axis,
                      const Location& where) {
  const ops::AxisAttributes attributes{resolve_axis(axis, shape, "gather")};
  if (is_complex(dy.dtype())) {
    return from_pairs(gather_gradient(pairs_of(dy, dy.device()), indices, shape_of_pairs(shape),
                                      static_cast<std::int64_t>(attributes.axis), where));
  }
  return compute(ops::Op::gather_gradient, dy.dtype(), dy.device(), shape, dy.dtype(),
                 std::array{dy.view(), indices.view()}, attributes,
                 {.before = check_places, .site = site_of(ops::Op::gather, where)});
}

Array take_along_axis(const Array& x, const Array& indices, std::int64_t axis,
                      const Location& where) {
  const ops::Site site = site_of(ops::Op::take_along_axis, where);
  const ops::AxisAttributes attributes = ops::along_axis(site, x.shape(), indices.shape(), axis);
  const Device device = common_device(site, {&x, &indices});
  return compute(ops::Op::take_along_axis, x.dtype(), device, indices.shape(), x.dtype(),
                 std::array{x.view(), indices.view()}, attributes,
                 {.before = check_chosen, .site = site});
}

Array take_along_axis_gradient(const Array& dy, const Array& indices, const Shape& shape,
                               std::int64_t axis, const Location& where) {
  const ops::AxisAttributes attributes{resolve_axis(axis, shape, "take_along_axis")};
  return compute(ops::Op::take_along_axis_gradient, dy.dtype(), dy.device(), shape, dy.dtype(),
                 std::array{dy.view(), indices.view()}, attributes,
                 {.before = check_places, .site = site_of(ops::Op::take_along_axis, where)});
}

Array scatter_sum(const char* operation, const Array& updates, const Array& indices,
                  const Shape& shape, std::int64_t axis, const Location& where) {
  const ops::Site site{operation, where};
  const auto [expected, attributes] = ops::gather_shape(site, shape, indices.shape(), axis);
  if (updates.shape() != expected) {
    site.fail("the updates have shape " + to_string(updates.shape()) + ", not " +
              to_string(expected) + ", for indices of shape " + to_string(indices.shape()));
  }
  const Device device = common_device(site, {&updates, &indices});
  return compute(ops::Op::gather_gradient, updates.dtype(), device, shape, updates.dtype(),
                 std::array{updates.view(), indices.view()}, attributes,
                 {.before = check_places, .site = site});
}

Shape segments_shape(const Shape& x, const Shape& segments, std::int64_t count,
                     const Location& where) {
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
  return Shape(extents);
}

Array one_hot(const Array& indices, std::int64_t depth, DType dtype, const Location& where) {
  const Shape shape = ops::one_hot_shape(site_of(ops::Op::one_hot, where), indices.shape(), depth);
  return compute(ops::Op::one_hot, dtype, indices.device(), shape, dtype,
                 std::array{indices.view()}, ops::NoAttributes{});
}

}  // namespace ddx::detail
