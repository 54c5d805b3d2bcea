#include "ddx/ops/indexing.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"

#include "ops/detail/around_axis.h"
#include "ops/detail/dispatch_dtype.h"
#include "ops/detail/numbers.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>

namespace ddx::ops {
namespace {

/// Whether all indices are in [0, extent). Without a branch, so that the compiler makes vectors of
/// the loop: the sign bit of `seen` is set by any index that is negative or above the last one.
bool are_inside(std::span<const std::int32_t> indices, std::int64_t extent) noexcept {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  const auto last = static_cast<std::uint32_t>(std::min(extent - 1, most));
  std::uint32_t seen = 0;
  for (const std::int32_t signed_index : indices) {
    const auto index = static_cast<std::uint32_t>(signed_index);
    seen |= index | (last - index);
  }
  return static_cast<std::int32_t>(seen) >= 0;
}

/// Calls body(whole, part): the offsets of each slice of x and of the slice of the gathered array
/// that it goes with.
template <class Body>
void for_each_slice(const Shape& x, std::size_t axis, const View& indices, Body body) noexcept {
  const detail::AroundAxis around(x, axis);
  const auto* index = indices.data<std::int32_t>();
  const std::int64_t count = indices.shape().count();
  for (std::int64_t outer = 0; outer < around.outer; ++outer) {
    for (std::int64_t i = 0; i < count; ++i) {
      body((outer * around.extent + index[i]) * around.inner, (outer * count + i) * around.inner,
           around.inner);
    }
  }
}

/// W is a word as large as an element, also below.
template <class W>
void gather(const Call& call) noexcept {
  const auto* x = call.input(0).data<W>();
  auto* y = call.output().mutable_data<W>();
  for_each_slice(call.input(0).shape(), call.attributes<AxisAttributes>().axis, call.input(1),
                 [&](std::int64_t whole, std::int64_t part, std::int64_t count) {
                   std::copy(x + whole, x + whole + count, y + part);
                 });
}

template <class T>
void gather_gradient(const Call& call) noexcept {
  const auto* dy = call.input(0).data<T>();
  auto* dx = call.output().mutable_data<T>();
  std::fill(dx, dx + call.output().shape().count(), T{});
  for_each_slice(call.output().shape(), call.attributes<AxisAttributes>().axis, call.input(1),
                 [&](std::int64_t whole, std::int64_t part, std::int64_t count) {
                   for (std::int64_t i = 0; i < count; ++i) {
                     dx[whole + i] += dy[part + i];
                   }
                 });
}

/// Calls body(whole, part): the offsets of the element of x and of the element of the result that
/// `indices`, of the result's shape, brings together.
template <class Body>
void for_each_along(const Shape& x, std::size_t axis, const View& indices, Body body) noexcept {
  const detail::AroundAxis from(x, axis);
  const detail::AroundAxis to(indices.shape(), axis);
  const auto* index = indices.data<std::int32_t>();
  for (std::int64_t outer = 0; outer < to.outer; ++outer) {
    for (std::int64_t i = 0; i < to.extent; ++i) {
      for (std::int64_t inner = 0; inner < to.inner; ++inner) {
        const std::int64_t part = (outer * to.extent + i) * to.inner + inner;
        body((outer * from.extent + index[part]) * from.inner + inner, part);
      }
    }
  }
}

template <class W>
void take_along_axis(const Call& call) noexcept {
  const auto* x = call.input(0).data<W>();
  auto* y = call.output().mutable_data<W>();
  for_each_along(call.input(0).shape(), call.attributes<AxisAttributes>().axis, call.input(1),
                 [&](std::int64_t whole, std::int64_t part) { y[part] = x[whole]; });
}

template <class T>
void take_along_axis_gradient(const Call& call) noexcept {
  const auto* dy = call.input(0).data<T>();
  auto* dx = call.output().mutable_data<T>();
  std::fill(dx, dx + call.output().shape().count(), T{});
  for_each_along(call.output().shape(), call.attributes<AxisAttributes>().axis, call.input(1),
                 [&](std::int64_t whole, std::int64_t part) { dx[whole] += dy[part]; });
}

template <class W>
void one_hot(const Call& call) noexcept {
  const auto* index = call.input(0).data<std::int32_t>();
  auto* y = call.output().mutable_data<W>();
  const Shape& shape = call.output().shape();
  const std::int64_t depth = shape[shape.rank() - 1];
  const W one = detail::word_of<W>({.real = 1, .integer = 1}, call.output().dtype());
  std::fill(y, y + shape.count(), W{});
  for (std::int64_t i = 0; i < call.input(0).shape().count(); ++i) {
    if (index[i] >= 0 && index[i] < depth) {
      y[i * depth + index[i]] = one;
    }
  }
}

/// Fails where a result would have more axes than a shape can.
void check_rank(const Site& site, std::size_t rank, const Shape& x) {
  if (rank > Shape::max_rank) {
    site.fail("the result has rank " + std::to_string(rank) + ", above the largest supported, " +
              std::to_string(Shape::max_rank) + "; shape " + to_string(x));
  }
}

}  // namespace

Resolved<AxisAttributes> gather_shape(const Site& site, const Shape& x, const Shape& indices,
                                      std::int64_t axis) {
  const std::size_t along = resolve_axis(axis, x, site.operation, site.where);
  const std::size_t rank = x.rank() - 1 + indices.rank();
  check_rank(site, rank, x);
  std::array<std::int64_t, Shape::max_rank> extents{};
  auto next = std::copy_n(x.extents().begin(), along, extents.begin());
  next = std::copy(indices.extents().begin(), indices.extents().end(), next);
  std::copy(x.extents().begin() + static_cast<std::ptrdiff_t>(along) + 1, x.extents().end(), next);
  return {site.shape(std::span<const std::int64_t>(extents.data(), rank)), {along}};
}

AxisAttributes along_axis(const Site& site, const Shape& x, const Shape& indices,
                          std::int64_t axis) {
  const std::size_t along = resolve_axis(axis, x, site.operation, site.where);
  bool fits = x.rank() == indices.rank();
  for (std::size_t i = 0; fits && i < x.rank(); ++i) {
    fits = i == along || x[i] == indices[i];
  }
  if (!fits) {
    site.fail("the indices differ beyond axis " + std::to_string(along) + "; shapes " +
              to_string(x) + " and " + to_string(indices));
  }
  return {along};
}

Shape one_hot_shape(const Site& site, const Shape& indices, std::int64_t depth) {
  if (depth < 0) {
    site.fail("depth " + std::to_string(depth) + " is negative; shape " + to_string(indices));
  }
  check_rank(site, indices.rank() + 1, indices);
  std::array<std::int64_t, Shape::max_rank> extents{};
  std::copy(indices.extents().begin(), indices.extents().end(), extents.begin());
  extents[indices.rank()] = depth;
  return site.shape(std::span<const std::int64_t>(extents.data(), indices.rank() + 1));
}

std::optional<std::string> wrong_index(const char* what, std::span<const std::int32_t> indices,
                                       std::int64_t extent) {
  if (are_inside(indices, extent)) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] < 0 || indices[i] >= extent) {
      return std::string(what) + " " + std::to_string(indices[i]) + " at position " +
             std::to_string(i) + " is not in [0, " + std::to_string(extent) + ")";
    }
  }
  return std::nullopt;
}

void check_indices(const Site& site, const char* what, std::span<const std::int32_t> indices,
                   std::int64_t extent) {
  if (const auto facts = wrong_index(what, indices, extent)) {
    site.fail(*facts);
  }
}

Kernel indexing_reference(Op op, DType dtype) noexcept {
  if (op == Op::gather) {
    return detail::dispatch_size(dtype, [](auto word) { return &gather<decltype(word)>; });
  }
  if (op == Op::gather_gradient) {
    return detail::dispatch_floating(
        dtype, [](auto element) { return &gather_gradient<decltype(element)>; });
  }
  if (op == Op::take_along_axis) {
    return detail::dispatch_size(dtype, [](auto word) { return &take_along_axis<decltype(word)>; });
  }
  if (op == Op::take_along_axis_gradient) {
    return detail::dispatch_floating(
        dtype, [](auto element) { return &take_along_axis_gradient<decltype(element)>; });
  }
  if (op == Op::one_hot) {
    return detail::dispatch_size(dtype, [](auto word) { return &one_hot<decltype(word)>; });
  }
  return nullptr;
}

}  // namespace ddx::ops
