#include "ddx/ops/reduction.h"

#include "ddx/core/dtype.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/axes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"

#include "ops/detail/axis_line.h"
#include "ops/detail/dispatch_dtype.h"
#include "ops/detail/log_sum_exp.h"
#include "ops/detail/numbers.h"
#include "ops/detail/strided_loop.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace ddx::ops {
namespace {

/// Some axes of an array: their extents, and the array's strides along them.
struct Axes {
  void push_back(std::int64_t extent, std::int64_t stride) noexcept {
    extents[rank] = extent;
    strides[rank] = stride;
    ++rank;
  }
  [[nodiscard]] Shape shape() const noexcept {
    return Shape(std::span<const std::int64_t>(extents.data(), rank));
  }

  std::array<std::int64_t, Shape::max_rank> extents{};
  Strides strides{};
  std::size_t rank = 0;
};

/// The elements that are reduced to one.
template <class T>
class Group {
 public:
  Group(const T* first, const Shape& shape, const Strides& strides) noexcept
      : first_(first), shape_(shape), strides_{strides} {}

  /// One of them; there must be one.
  [[nodiscard]] T front() const noexcept { return *first_; }
  [[nodiscard]] std::int64_t count() const noexcept { return shape_.count(); }

  /// state = combine(state, x) for each element x, in order, from `state`; returns the last.
  template <class State, class Combine>
  [[nodiscard]] State fold(State state, Combine combine) const noexcept {
    detail::for_each_offset(shape_, strides_,
                            [&](const auto& at) { state = combine(state, first_[at[0]]); });
    return state;
  }

 private:
  const T* first_;
  const Shape& shape_;
  std::array<Strides, 1> strides_;
};

/// Writes reduced(group) to each output element, of the input elements that are reduced to it.
template <class T, class Reduced>
void reduce_groups(const Call& call, Reduced reduced) noexcept {
  const auto* x = call.input(0).data<T>();
  auto* y = call.output().mutable_data<T>();
  const Shape& from = call.input(0).shape();
  const Strides strides = dense_strides(from);
  Axes outer;
  Axes inner;
  for (std::size_t axis = 0; axis < from.rank(); ++axis) {
    (call.attributes<ReductionAttributes>().reduces(axis) ? inner : outer)
        .push_back(from[axis], strides[axis]);
  }
  const Shape inner_shape = inner.shape();
  std::int64_t next = 0;
  detail::for_each_offset(
      outer.shape(), std::array<Strides, 1>{outer.strides}, [&](const auto& at) {
        y[next++] = static_cast<T>(reduced(Group<T>(x + at[0], inner_shape, inner.strides)));
      });
}

template <class T>
void sum(const Call& call) noexcept {
  using State = detail::Accumulator<T>;
  reduce_groups<T>(call, [](const Group<T>& group) {
    return group.fold(State{}, [](State total, T x) { return total + static_cast<State>(x); });
  });
}

template <class T>
void product(const Call& call) noexcept {
  using State = detail::Accumulator<T>;
  reduce_groups<T>(call, [](const Group<T>& group) {
    return group.fold(State{1}, [](State total, T x) { return total * static_cast<State>(x); });
  });
}

template <class T>
void mean(const Call& call) noexcept {
  reduce_groups<T>(call, [](const Group<T>& group) {
    const double total =
        group.fold(0.0, [](double sum, T x) { return sum + static_cast<double>(x); });
    return total / static_cast<double>(group.count());
  });
}

template <class T>
void log_sum_exp(const Call& call) noexcept {
  reduce_groups<T>(call, [](const Group<T>& group) {
    const auto add = [](detail::LogSumExp sum, T x) {
      sum.add(static_cast<double>(x));
      return sum;
    };
    return group.fold(detail::LogSumExp(), add).value();
  });
}

// In both, a NaN is not equal to itself and replaces everything, and nothing replaces it.

template <class T>
void max(const Call& call) noexcept {
  reduce_groups<T>(call, [](const Group<T>& group) {
    return group.fold(group.front(), [](T best, T x) { return x > best || x != x ? x : best; });
  });
}

template <class T>
void min(const Call& call) noexcept {
  reduce_groups<T>(call, [](const Group<T>& group) {
    return group.fold(group.front(), [](T best, T x) { return x < best || x != x ? x : best; });
  });
}

void all(const Call& call) noexcept {
  reduce_groups<bool>(call, [](const Group<bool>& group) {
    return group.fold(true, [](bool holds, bool x) { return holds && x; });
  });
}

void any(const Call& call) noexcept {
  reduce_groups<bool>(call, [](const Group<bool>& group) {
    return group.fold(false, [](bool holds, bool x) { return holds || x; });
  });
}

/// The position of the first element that no other beats; a NaN beats every number.
template <class T, class Beats>
void arg_reduction(const Call& call) noexcept {
  const auto* x = call.input(0).data<T>();
  auto* y = call.output().mutable_data<std::int32_t>();
  const Shape& from = call.input(0).shape();
  const std::size_t axis = call.attributes<AxisAttributes>().axis;
  const std::int64_t stride = dense_strides(from)[axis];
  std::int64_t next = 0;
  detail::for_each_axis_line(from, axis, [&](std::int64_t first) {
    std::int64_t best = 0;
    for (std::int64_t k = 1; k < from[axis]; ++k) {
      const T candidate = x[first + k * stride];
      const T holder = x[first + best * stride];
      if (Beats()(candidate, holder) || (candidate != candidate && holder == holder)) {
        best = k;
      }
    }
    y[next++] = static_cast<std::int32_t>(best);
  });
}

}  // namespace

Resolved<ReductionAttributes> reduction_shape(const Site& site, Op op, const Shape& x,
                                              const Indices& axes, bool keep_dims) {
  Resolved<ReductionAttributes> result;
  result.attributes.keep_dims = keep_dims;
  result.attributes.axes = axis_bits(site, x, axes);
  std::array<std::int64_t, Shape::max_rank> extents{};
  std::size_t rank = 0;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    if (!result.attributes.reduces(axis)) {
      extents[rank++] = x[axis];
    } else if (keep_dims) {
      extents[rank++] = 1;
    }
  }
  result.shape = Shape(std::span<const std::int64_t>(extents.data(), rank));
  if ((op == Op::max || op == Op::min) && x.count() == 0 && result.shape.count() > 0) {
    site.fail("there is no element to choose from; shape " + to_string(x));
  }
  return result;
}

Resolved<AxisAttributes> arg_reduction_shape(const Site& site, const Shape& x, std::int64_t axis) {
  const std::size_t along = resolve_axis(axis, x, site.operation, site.where);
  if (x[along] == 0) {
    site.fail("there is no element to choose from on axis " + std::to_string(along) + "; shape " +
              to_string(x));
  }
  site.check_places(x[along], x);
  std::array<std::int64_t, Shape::max_rank> extents{};
  std::size_t rank = 0;
  for (std::size_t i = 0; i < x.rank(); ++i) {
    if (i != along) {
      extents[rank++] = x[i];
    }
  }
  return {Shape(std::span<const std::int64_t>(extents.data(), rank)), {along}};
}

Kernel reduction_reference(Op op, DType dtype) noexcept {
  if (op == Op::sum) {
    return detail::dispatch_numeric(dtype, [](auto element) { return &sum<decltype(element)>; });
  }
  if (op == Op::mean) {
    return detail::dispatch_floating(dtype, [](auto element) { return &mean<decltype(element)>; });
  }
  if (op == Op::max) {
    return detail::dispatch_numeric(dtype, [](auto element) { return &max<decltype(element)>; });
  }
  if (op == Op::min) {
    return detail::dispatch_numeric(dtype, [](auto element) { return &min<decltype(element)>; });
  }
  if (op == Op::product) {
    return detail::dispatch_numeric(dtype,
                                    [](auto element) { return &product<decltype(element)>; });
  }
  if (op == Op::log_sum_exp) {
    return detail::dispatch_floating(dtype,
                                     [](auto element) { return &log_sum_exp<decltype(element)>; });
  }
  if (op == Op::all) {
    return dtype == DType::boolean ? &all : nullptr;
  }
  if (op == Op::any) {
    return dtype == DType::boolean ? &any : nullptr;
  }
  if (op == Op::argmax) {
    return detail::dispatch_numeric(
        dtype, [](auto element) { return &arg_reduction<decltype(element), std::greater<>>; });
  }
  if (op == Op::argmin) {
    return detail::dispatch_numeric(
        dtype, [](auto element) { return &arg_reduction<decltype(element), std::less<>>; });
  }
  return nullptr;
}

}  // namespace ddx::ops
