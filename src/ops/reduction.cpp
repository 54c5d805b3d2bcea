#include "ddx/ops/reduction.h"

#include "ddx/core/dtype.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/axes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"

#include "ops/detail/numbers.h"
#include "ops/detail/pick.h"
#include "ops/detail/walk.h"

#include <array>
#include <cstddef>
#include <cstdint>
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

/// Writes to each output element the result of folding the input elements that are reduced to it:
/// finish(fold(... fold(fold(start, x_0), x_1) ...)), or start from the first element where
/// `from_first`.
template <class T, class State, bool from_first, class Fold, class Finish>
void fold(const Call& call, Fold combine, Finish finish) noexcept {
  const auto* x = call.input(0).data<T>();
  auto* y = call.output().mutable_data<T>();
  const Shape& from = call.input(0).shape();
  const Strides strides = dense_strides(from);
  Axes kept;
  Axes reduced;
  for (std::size_t axis = 0; axis < from.rank(); ++axis) {
    (call.attributes<ReductionAttributes>().reduces(axis) ? reduced : kept)
        .push_back(from[axis], strides[axis]);
  }
  const Shape inner = reduced.shape();
  std::int64_t next = 0;
  detail::walk(kept.shape(), std::array<Strides, 1>{kept.strides}, [&](const auto& outer) {
    const T* first = x + outer[0];
    State state = from_first ? static_cast<State>(*first) : State{};
    detail::walk(inner, std::array<Strides, 1>{reduced.strides},
                 [&](const auto& at) { state = combine(state, static_cast<State>(first[at[0]])); });
    y[next++] = static_cast<T>(finish(state, inner.count()));
  });
}

template <class T>
void sum(const Call& call) noexcept {
  using State = detail::Accumulator<T>;
  fold<T, State, false>(
      call, [](State a, State b) { return a + b; },
      [](State total, std::int64_t) { return total; });
}

template <class T>
void mean(const Call& call) noexcept {
  fold<T, double, false>(
      call, [](double a, double b) { return a + b; },
      [](double total, std::int64_t count) { return total / static_cast<double>(count); });
}

// In both, a NaN is not equal to itself and replaces everything, and nothing replaces it.

template <class T>
void max(const Call& call) noexcept {
  fold<T, T, true>(
      call, [](T best, T x) { return x > best || x != x ? x : best; },
      [](T best, std::int64_t) { return best; });
}

template <class T>
void min(const Call& call) noexcept {
  fold<T, T, true>(
      call, [](T best, T x) { return x < best || x != x ? x : best; },
      [](T best, std::int64_t) { return best; });
}

template <class T>
void argmax(const Call& call) noexcept {
  const auto* x = call.input(0).data<T>();
  auto* y = call.output().mutable_data<std::int32_t>();
  const Shape& from = call.input(0).shape();
  const std::size_t axis = call.attributes<AxisAttributes>().axis;
  const std::int64_t inner = dense_strides(from)[axis];
  const std::int64_t extent = from[axis];
  const std::int64_t outer = inner == 0 ? 0 : from.count() / (extent * inner);
  for (std::int64_t o = 0; o < outer; ++o) {
    for (std::int64_t i = 0; i < inner; ++i) {
      const T* first = x + o * extent * inner + i;
      std::int64_t best = 0;
      for (std::int64_t k = 1; k < extent; ++k) {
        const T candidate = first[k * inner];
        const T holder = first[best * inner];
        if (candidate > holder || (candidate != candidate && holder == holder)) {
          best = k;
        }
      }
      y[o * inner + i] = static_cast<std::int32_t>(best);
    }
  }
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

Resolved<AxisAttributes> argmax_shape(const Site& site, const Shape& x, std::int64_t axis) {
  const std::size_t along = resolve_axis(axis, x, site.operation, site.where);
  if (x[along] == 0) {
    site.fail("there is no element to choose from on axis " + std::to_string(along) + "; shape " +
              to_string(x));
  }
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
    return detail::pick_numeric(dtype, [](auto element) { return &sum<decltype(element)>; });
  }
  if (op == Op::mean) {
    return detail::pick_floating(dtype, [](auto element) { return &mean<decltype(element)>; });
  }
  if (op == Op::max) {
    return detail::pick_numeric(dtype, [](auto element) { return &max<decltype(element)>; });
  }
  if (op == Op::min) {
    return detail::pick_numeric(dtype, [](auto element) { return &min<decltype(element)>; });
  }
  if (op == Op::argmax) {
    return detail::pick_numeric(dtype, [](auto element) { return &argmax<decltype(element)>; });
  }
  return nullptr;
}

}  // namespace ddx::ops
