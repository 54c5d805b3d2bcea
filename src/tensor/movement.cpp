#include "ddx/tensor/movement.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/axes.h"
#include "ddx/ops/check.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/movement.h"
#include "ddx/ops/op.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/operations.h"

#include "tensor/detail/dispatch.h"
#include "tensor/detail/indices_of.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ddx::detail {
namespace {

template <class Attributes>
Array move_elements(ops::Op op, const Array& x, const Shape& shape, const Attributes& attributes) {
  return compute(op, x.dtype(), x.device(), shape, x.dtype(), std::array{x.view()}, attributes);
}

/// The elements of a box with steps 1.
Array box(const Array& x, const Shape& shape,
          const std::array<std::int64_t, Shape::max_rank>& start) {
  if (shape == x.shape()) {
    return x;
  }
  ops::SliceAttributes attributes{.start = start, .step = {}};
  attributes.step.fill(1);
  return move_elements(ops::Op::slice, x, shape, attributes);
}

}  // namespace

Array reshape(const Array& x, const Indices& extents, const Location& where) try {
  const Shape shape = ops::reshape_shape(site_of(ops::Op::reshape, where), x.shape(), extents);
  return x.is_symbolic_zero() ? full(shape, {}, x.dtype(), x.device()) : Array(x, shape);
} catch (const std::bad_alloc&) {
  throw_out_of_memory("reshape");
}

Array broadcast_to(const Array& x, const Shape& shape, const Location& where) try {
  const ops::Site site = site_of(ops::Op::broadcast_to, where);
  if (!broadcasts_to(x.shape(), shape)) {
    site.fail("shape " + to_string(x.shape()) + " does not stretch to " + to_string(shape));
  }
  return x.shape() == shape ? x
                            : move_elements(ops::Op::broadcast_to, x, shape, ops::NoAttributes{});
} catch (const std::bad_alloc&) {
  throw_out_of_memory("broadcast_to");
}

Array sum_to(const Array& x, const Shape& shape, const Location& where) try {
  if (x.shape() == shape) {
    return x;
  }
  if (!broadcasts_to(shape, x.shape())) {
    ops::Site{"sum_to", where}.fail("shape " + to_string(shape) + " does not stretch to " +
                                    to_string(x.shape()));
  }
  std::array<std::int64_t, Shape::max_rank> axes{};
  std::size_t count = 0;
  const std::size_t missing = x.shape().rank() - shape.rank();
  for (std::size_t axis = 0; axis < x.shape().rank(); ++axis) {
    if (axis < missing || (shape[axis - missing] == 1 && x.shape()[axis] != 1)) {
      axes[count++] = static_cast<std::int64_t>(axis);
    }
  }
  const Indices reduced(std::span<const std::int64_t>(axes.data(), count));
  return reshape(reduce(ops::Op::sum, x, {.axes = reduced, .keep_dims = true}, where), shape,
                 where);
} catch (const std::bad_alloc&) {
  throw_out_of_memory("sum_to");
}

Array transpose(const Array& x, const Indices& order, const Location& where) try {
  const auto [shape, attributes] =
      ops::transpose_shape(site_of(ops::Op::transpose, where), x.shape(), order);
  return move_elements(ops::Op::transpose, x, shape, attributes);
} catch (const std::bad_alloc&) {
  throw_out_of_memory("transpose");
}

Indices inverse_order(const Indices& order) {
  std::array<std::int64_t, Shape::max_rank> inverse{};
  const auto rank = static_cast<std::int64_t>(order.size());
  for (std::int64_t axis = 0; axis < rank; ++axis) {
    const std::int64_t from = order[static_cast<std::size_t>(axis)];
    inverse[static_cast<std::size_t>(from < 0 ? from + rank : from)] = axis;
  }
  return Indices(std::span<const std::int64_t>(inverse.data(), order.size()));
}

Array slice(const Array& x, const SliceOptions& options, const Location& where) try {
  const auto [shape, attributes] = ops::slice_shape(site_of(ops::Op::slice, where), x.shape(),
                                                    options.start, options.stop, options.step);
  return shape == x.shape() ? x : move_elements(ops::Op::slice, x, shape, attributes);
} catch (const std::bad_alloc&) {
  throw_out_of_memory("slice");
}

Array slice_gradient(const Array& dy, const Shape& shape, const SliceOptions& options) {
  const auto resolved = ops::slice_shape(site_of(ops::Op::slice, {}), shape, options.start,
                                         options.stop, options.step);
  return move_elements(
      ops::Op::pad, dy, shape,
      ops::PadAttributes{
          .low = resolved.attributes.start, .step = resolved.attributes.step, .value = {}});
}

Array reverse(const Array& x, const Indices& axes, const Location& where) try {
  const ops::AxesAttributes attributes{
      ops::axis_bits(site_of(ops::Op::reverse, where), x.shape(), axes)};
  return move_elements(ops::Op::reverse, x, x.shape(), attributes);
} catch (const std::bad_alloc&) {
  throw_out_of_memory("reverse");
}

Array update_slice(Array x, const Array& update, const SliceOptions& options,
                   const Location& where) try {
  const ops::Site site = site_of(ops::Op::update_slice, where);
  const auto box =
      ops::updated_box(site, x.shape(), update.shape(), options.start, options.stop, options.step);
  const Device device = common_device(site, {&x, &update});
  const Array whole = broadcast_to(update, box.shape, where);
  const std::array inputs{x.view(), whole.view()};
  if (!x.unshared()) {
    return compute(ops::Op::update_slice, x.dtype(), device, x.shape(), x.dtype(), inputs,
                   box.attributes);
  }
  const ops::View output = x.view();
  run(ops::Op::update_slice, x.dtype(), device, inputs, {&output, 1}, box.attributes);
  return x;
} catch (const std::bad_alloc&) {
  throw_out_of_memory("update_slice");
}

namespace {

std::optional<std::string> wrong_update_place(const ops::Call& call) {
  const std::size_t axis = call.attributes<ops::AxisAttributes>().axis;
  return ops::wrong_place(indices_of(call.input(2)).front(), call.input(1).shape()[axis],
                          call.input(0).shape()[axis]);
}

}  // namespace

Array update_at(Array x, const Array& update, const Array& place, std::int64_t axis,
                const Location& where) try {
  const ops::Site site = site_of(ops::Op::update_at, where);
  const ops::AxisAttributes attributes = ops::updated_axis(site, x.shape(), update.shape(), axis);
  if (place.shape() != Shape{}) {
    site.fail("the place of shape " + to_string(place.shape()) + " is not a single number");
  }
  const Device device = common_device(site, {&x, &update, &place});
  const std::array inputs{x.view(), update.view(), place.view()};
  const ops::Check check{.before = wrong_update_place, .site = site};
  if (!x.unshared()) {
    return compute(ops::Op::update_at, x.dtype(), device, x.shape(), x.dtype(), inputs, attributes,
                   check);
  }
  const ops::View output = x.view();
  run(ops::Op::update_at, x.dtype(), device, inputs, {&output, 1}, attributes, check);
  return x;
} catch (const std::bad_alloc&) {
  throw_out_of_memory("update_at");
}

Array crop(const Array& x, const Indices& low, const Shape& shape) {
  std::array<std::int64_t, Shape::max_rank> start{};
  for (std::size_t axis = 0; axis < low.size(); ++axis) {
    start[axis] = low[axis];
  }
  return box(x, shape, start);
}

Array part(const Array& x, const Shape& shape, std::int64_t axis, std::int64_t start) {
  std::array<std::int64_t, Shape::max_rank> starts{};
  starts[resolve_axis(axis, shape, "concatenate")] = start;
  return box(x, shape, starts);
}

Array pad(const Array& x, const Indices& low, const Indices& high, ops::Literal value,
          const Location& where) try {
  const auto [shape, attributes] =
      ops::pad_shape(site_of(ops::Op::pad, where), x.shape(), low, high, value);
  return move_elements(ops::Op::pad, x, shape, attributes);
} catch (const std::bad_alloc&) {
  throw_out_of_memory("pad");
}

Array stack(std::span<const Array* const> parts, std::int64_t axis, const Location& where) try {
  const ops::Site site{"stack", where};
  if (parts.empty()) {
    site.fail("there is no part");
  }
  const Shape& first = parts[0]->shape();
  const Shape unit = ops::inserted_axis(site, first, axis);
  std::vector<Array> units;
  std::vector<const Array*> pointers;
  units.reserve(parts.size());
  for (const Array* part : parts) {
    if (part->shape() != first) {
      site.fail("parts differ in shape; shapes " + to_string(first) + " and " +
                to_string(part->shape()));
    }
    pointers.push_back(&units.emplace_back(reshape(*part, unit, where)));
  }
  return concatenate(pointers, axis, where);
} catch (const std::bad_alloc&) {
  throw_out_of_memory("stack");
}

Array concatenate(std::span<const Array* const> parts, std::int64_t axis,
                  const Location& where) try {
  const ops::Site site = site_of(ops::Op::concatenate, where);
  std::vector<const Shape*> shapes;
  std::vector<ops::View> inputs;
  for (const Array* part : parts) {
    shapes.push_back(&part->shape());
    inputs.push_back(part->view());
  }
  const auto [shape, attributes] = ops::concatenate_shape(site, shapes, axis);
  const Device device = common_device(site, parts);
  Array result = Array::for_kernels(shape, parts[0]->dtype(), device);
  const ops::View output = result.view();
  run(ops::Op::concatenate, result.dtype(), device, inputs, {&output, 1}, attributes,
      {.site = site});
  return result;
} catch (const std::bad_alloc&) {
  throw_out_of_memory("concatenate");
}

}  // namespace ddx::detail
