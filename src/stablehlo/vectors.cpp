#include "stablehlo/detail/vectors.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/stablehlo/module.h"

#include "stablehlo/detail/builder.h"

#include <cstddef>
#include <cstdint>

namespace ddx::stablehlo::detail {
namespace {

Ints last_axis(const Value& x) {
  return {static_cast<std::int64_t>(x.rank() - 1)};
}

/// Broadcast over a new last axis.
Value over_last(const Value& reduced, const Value& x) {
  return along(reduced, x.shape(), last_axis(x));
}

}  // namespace

Value lengths(const Value& x) {
  const Value most = largest(absolute(x), last_axis(x));
  const Value is_plain = is_finite(most) & compare("GT", most, 0);
  const Value unit = x / over_last(select(is_plain, most, 1), x);
  const Value length = most * unary(Code::sqrt_, sum(unit * unit, last_axis(x)));
  return select(is_plain, length, most);
}

Value first_place(const Value& condition) {
  const std::size_t last = condition.rank() - 1;
  const Value places = condition.builder().iota(condition.shape(), last);
  const auto extent = static_cast<double>(condition.extent(last));
  return reduce(Code::minimum_, select(condition, places, extent),
                condition.builder().number(extent, DType::i32), last_axis(condition));
}

Value orientation(const Value& x) {
  const Value size = absolute(x);
  const Value most = largest(size, last_axis(x));
  const Value first = first_place(compare("GE", size, over_last(most * 0.5, x)));
  const Value places = x.builder().iota(x.shape(), x.rank() - 1);
  const Value deciding = select(compare("EQ", places, over_last(first, x)), x, 0);
  const Value one = x.builder().filled(1, first.shape(), x.dtype());
  return select(compare("LT", sum(deciding, last_axis(x)), 0), -1, one);
}

Projected without_projections(const Value& x, const Value& q) {
  Value rest = x;
  Value parts = x.builder().zeros({Shape{q.extent(0), q.extent(2)}, x.dtype()});
  for (int pass = 0; pass < 2; ++pass) {
    const Value part = dot(q, rest, {{0}, {0}, {1}, {1}});
    rest = rest - dot(q, part, {{0}, {0}, {2}, {1}});
    parts = parts + part;
  }
  return {rest, parts};
}

Value orthonormal_vector(const Value& q) {
  const Value inside = sum(q * q, {2});
  const Value least = reduce(Code::minimum_, inside, highest(q.builder(), q.dtype()), {1});
  const Value farthest = first_place(compare("EQ", inside, over_last(least, inside)));
  const Value places = q.builder().iota(inside.shape(), 1);
  const Value axis = convert(compare("EQ", places, over_last(farthest, inside)), q.dtype());
  const Value rest = without_projections(axis, q).rest;
  const Value unit = rest / over_last(lengths(rest), rest);
  return unit * over_last(orientation(unit), unit);
}

Value stack_of(const Value& x) {
  std::int64_t stack = 1;
  for (std::size_t axis = 0; axis + 2 < x.rank(); ++axis) {
    stack *= x.extent(axis);
  }
  return reshape(x, Shape{stack, x.extent(x.rank() - 2), x.extent(x.rank() - 1)});
}

Value column(const Value& x, const Value& j) {
  const Value zero = x.builder().number(0, j.dtype());
  return reshape(dynamic_slice(x, {zero, zero, j}, {x.extent(0), x.extent(1), 1}),
                 Shape{x.extent(0), x.extent(1)});
}

Value with_column(const Value& x, const Value& j, const Value& vector) {
  const Value zero = x.builder().number(0, j.dtype());
  return dynamic_update_slice(x, reshape(vector, Shape{x.extent(0), x.extent(1), 1}),
                              {zero, zero, j});
}

}  // namespace ddx::stablehlo::detail
