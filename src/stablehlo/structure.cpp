// The builder's operations that move or reduce elements, or contain regions.

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attributes.h"
#include "ddx/stablehlo/module.h"

#include "stablehlo/detail/builder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::stablehlo::detail {

Ints first_integers(std::size_t count) {
  Ints integers(count);
  std::iota(integers.begin(), integers.end(), 0);
  return integers;
}

Shape without(const Shape& shape, const Ints& axes) {
  Ints extents;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    if (std::ranges::find(axes, static_cast<std::int64_t>(axis)) == axes.end()) {
      extents.push_back(shape[axis]);
    }
  }
  return shape_of(extents);
}

Value broadcast_in_dim(const Value& x, const Shape& shape, const Ints& axes) {
  if (x.shape() == shape) {
    return x;
  }
  return x.builder().append_one(Code::broadcast_in_dim_, {x}, {shape, x.dtype()},
                                {{"broadcast_dimensions", axes}});
}

Value stretched(const Value& x, const Shape& shape) {
  Ints axes(x.rank());
  std::iota(axes.begin(), axes.end(), static_cast<std::int64_t>(shape.rank() - x.rank()));
  return broadcast_in_dim(x, shape, axes);
}

Value reshape(const Value& x, const Shape& shape) {
  return x.shape() == shape ? x : x.builder().append_one(Code::reshape_, {x}, {shape, x.dtype()});
}

Value transpose(const Value& x, const Ints& order) {
  if (std::ranges::is_sorted(order)) {
    return x;
  }
  Ints extents;
  for (const std::int64_t axis : order) {
    extents.push_back(x.extent(static_cast<std::size_t>(axis)));
  }
  return x.builder().append_one(Code::transpose_, {x}, {shape_of(extents), x.dtype()},
                                {{"permutation", order}});
}

Value slice(const Value& x, const Ints& start, const Ints& limit, const Ints& strides) {
  Ints extents;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    extents.push_back((limit[axis] - start[axis] + strides[axis] - 1) / strides[axis]);
  }
  return x.builder().append_one(
      Code::slice_, {x}, {shape_of(extents), x.dtype()},
      {{"start_indices", start}, {"limit_indices", limit}, {"strides", strides}});
}

Value slice_axis(const Value& x, std::size_t axis, std::int64_t start, std::int64_t limit) {
  if (start == 0 && limit == x.extent(axis)) {
    return x;
  }
  Ints starts(x.rank(), 0);
  Ints limits(x.shape().extents().begin(), x.shape().extents().end());
  starts[axis] = start;
  limits[axis] = limit;
  return slice(x, starts, limits, Ints(x.rank(), 1));
}

Value reverse(const Value& x, const Ints& axes) {
  return axes.empty()
             ? x
             : x.builder().append_one(Code::reverse_, {x}, x.type(), {{"dimensions", axes}});
}

Value pad(const Value& x, const Value& value, const Ints& low, const Ints& high,
          const Ints& interior) {
  const auto is_zero = [](const Ints& list) {
    return std::ranges::all_of(list, [](std::int64_t number) { return number == 0; });
  };
  if (is_zero(low) && is_zero(high) && is_zero(interior)) {
    return x;
  }
  Ints extents;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    const std::int64_t gaps = std::max<std::int64_t>(x.extent(axis) - 1, 0);
    extents.push_back(low[axis] + x.extent(axis) + gaps * interior[axis] + high[axis]);
  }
  return x.builder().append_one(
      Code::pad_, {x, value}, {shape_of(extents), x.dtype()},
      {{"edge_padding_low", low}, {"edge_padding_high", high}, {"interior_padding", interior}});
}

Value concatenate(const Values& parts, std::size_t axis) {
  if (parts.size() == 1) {
    return parts[0];
  }
  std::int64_t extent = 0;
  for (const Value& part : parts) {
    extent += part.extent(axis);
  }
  return parts[0].builder().append_one(
      Code::concatenate_, parts, {with_extent(parts[0].shape(), axis, extent), parts[0].dtype()},
      {{"dimension", Integer{static_cast<std::int64_t>(axis)}}});
}

namespace {

Values with_starts(Values operands, const Values& starts) {
  operands.insert(operands.end(), starts.begin(), starts.end());
  return operands;
}

}  // namespace

Value dynamic_slice(const Value& x, const Values& starts, const Ints& sizes) {
  return x.builder().append_one(Code::dynamic_slice_, with_starts({x}, starts),
                                {shape_of(sizes), x.dtype()}, {{"slice_sizes", sizes}});
}

Value dynamic_update_slice(const Value& x, const Value& update, const Values& starts) {
  return x.builder().append_one(Code::dynamic_update_slice_, with_starts({x, update}, starts),
                                x.type());
}

Values reduce(const Values& operands, const Values& initial, const Ints& axes,
              const Combine& combine) {
  Builder& builder = operands[0].builder();
  std::vector<ir::Type> parameters;
  std::vector<ir::Type> results;
  Values all = operands;
  for (const Value& operand : operands) {
    results.push_back({without(operand.shape(), axes), operand.dtype()});
  }
  for (int side = 0; side < 2; ++side) {
    for (const Value& start : initial) {
      parameters.push_back(start.type());
    }
  }
  all.insert(all.end(), initial.begin(), initial.end());
  Region region = builder.region(parameters, [&](const Values& values) {
    const auto half = values.begin() + static_cast<std::ptrdiff_t>(initial.size());
    return combine(Values(values.begin(), half), Values(half, values.end()));
  });
  std::vector<Region> regions;
  regions.push_back(std::move(region));
  return builder.append(Code::reduce_, all, results, {{"dimensions", axes}}, std::move(regions));
}

Value reduce(Code code, const Value& x, const Value& initial, const Ints& axes) {
  return reduce({x}, {initial}, axes, [code](const Values& left, const Values& right) {
    return Values{binary(code, left[0], right[0])};
  })[0];
}

Value sum(const Value& x, const Ints& axes) {
  return reduce(Code::add_, x, x.builder().number(0, x.dtype()), axes);
}

Value lowest(Builder& builder, DType dtype) {
  return visit(dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::numeric_limits<T>::is_integer) {
      return builder.constant(
          {.integer = static_cast<std::int64_t>(std::numeric_limits<T>::lowest())}, dtype);
    } else {
      return builder.constant({.real = -std::numeric_limits<double>::infinity()}, dtype);
    }
  });
}

Value highest(Builder& builder, DType dtype) {
  return visit(dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::numeric_limits<T>::is_integer) {
      return builder.constant({.integer = static_cast<std::int64_t>(std::numeric_limits<T>::max())},
                              dtype);
    } else {
      return builder.constant({.real = std::numeric_limits<double>::infinity()}, dtype);
    }
  });
}

Value largest(const Value& x, const Ints& axes) {
  return reduce(Code::maximum_, x, lowest(x.builder(), x.dtype()), axes);
}

Value any(const Value& x) {
  return reduce(Code::or_, x, x.builder().number(0, DType::boolean), first_integers(x.rank()));
}

Value along(const Value& reduced, const Shape& shape, const Ints& axes) {
  Ints kept;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    if (std::ranges::find(axes, static_cast<std::int64_t>(axis)) == axes.end()) {
      kept.push_back(static_cast<std::int64_t>(axis));
    }
  }
  return broadcast_in_dim(reduced, shape, kept);
}

namespace {

Matrix pairs_of(const Ints& low, const Ints& high) {
  Matrix pairs{2, {}};
  for (std::size_t axis = 0; axis < low.size(); ++axis) {
    pairs.values.push_back(low[axis]);
    pairs.values.push_back(high[axis]);
  }
  return pairs;
}

}  // namespace

Value reduce_window(Code code, const Value& x, const Value& initial, const WindowNumbers& window,
                    const Shape& result) {
  Builder& builder = x.builder();
  std::vector<Region> regions;
  regions.push_back(builder.region({initial.type(), initial.type()}, [code](const Values& values) {
    return Values{binary(code, values[0], values[1])};
  }));
  return builder.append_one(Code::reduce_window_, {x, initial}, {result, x.dtype()},
                            {{"window_dimensions", window.size},
                             {"window_strides", window.strides},
                             {"base_dilations", window.base_dilations},
                             {"window_dilations", window.window_dilations},
                             {"padding", pairs_of(window.low, window.high)}},
                            std::move(regions));
}

Attribute precision(DType dtype, bool fast) {
  // Every product of 16-bit elements is exact in f32, so no higher precision is needed.
  const bool exact = computed_in(dtype) != dtype || fast;
  const Enumerator one{"precision", exact ? "DEFAULT" : "HIGHEST"};
  return std::vector<Enumerator>{one, one};
}

Value dot(const Value& a, const Value& b, const DotAxes& axes, bool fast) {
  Ints extents;
  for (const std::int64_t axis : axes.left_batch) {
    extents.push_back(a.extent(static_cast<std::size_t>(axis)));
  }
  const auto append_free = [&extents](const Value& x, const Ints& batch, const Ints& contracted) {
    for (std::size_t axis = 0; axis < x.rank(); ++axis) {
      const auto number = static_cast<std::int64_t>(axis);
      if (std::ranges::find(batch, number) == batch.end() &&
          std::ranges::find(contracted, number) == contracted.end()) {
        extents.push_back(x.extent(axis));
      }
    }
  };
  append_free(a, axes.left_batch, axes.left);
  append_free(b, axes.right_batch, axes.right);
  const Fields numbers{"dot",
                       {{"lhs_batching_dimensions", true, axes.left_batch},
                        {"rhs_batching_dimensions", true, axes.right_batch},
                        {"lhs_contracting_dimensions", true, axes.left},
                        {"rhs_contracting_dimensions", true, axes.right}}};
  return a.builder().append_one(
      Code::dot_general_, {a, b}, {shape_of(extents), computed_in(a.dtype())},
      {{"dot_dimension_numbers", numbers}, {"precision_config", precision(a.dtype(), fast)}});
}

Values while_loop(const Values& initial, const std::function<Value(const Values&)>& condition,
                  const Body& body) {
  Builder& builder = initial[0].builder();
  std::vector<ir::Type> types;
  for (const Value& value : initial) {
    types.push_back(value.type());
  }
  std::vector<Region> regions;
  regions.push_back(
      builder.region(types, [&](const Values& carry) { return Values{condition(carry)}; }));
  regions.push_back(builder.region(types, body));
  return builder.append(Code::while_, initial, types, {}, std::move(regions));
}

Values counted_loop(std::int64_t trips, const Values& initial,
                    const std::function<Values(const Value& turn, const Values& carry)>& body) {
  Builder& builder = initial[0].builder();
  Values carry{builder.number(0, DType::i32)};
  carry.insert(carry.end(), initial.begin(), initial.end());
  Values results = while_loop(
      carry,
      [&](const Values& values) { return compare("LT", values[0], static_cast<double>(trips)); },
      [&](const Values& values) {
        Values next{values[0] + 1};
        const Values rest = body(values[0], Values(values.begin() + 1, values.end()));
        next.insert(next.end(), rest.begin(), rest.end());
        return next;
      });
  results.erase(results.begin());
  return results;
}

}  // namespace ddx::stablehlo::detail
