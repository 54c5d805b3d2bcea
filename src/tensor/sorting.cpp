#include "ddx/tensor/sorting.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/dtype.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/splitting.h"
#include "ddx/tensor/tensor.h"

#include "tensor/detail/dispatch.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <source_location>
#include <span>
#include <string>
#include <utility>

namespace ddx::detail {
namespace {

/// The permutation that exchanges an axis with the last one: its own inverse.
Indices exchanged_with_last(std::size_t axis, std::size_t rank) {
  std::array<std::int64_t, Shape::max_rank> order{};
  for (std::size_t i = 0; i < rank; ++i) {
    order[i] = static_cast<std::int64_t>(i);
  }
  std::swap(order[axis], order[rank - 1]);
  return Indices(std::span<const std::int64_t>(order.data(), rank));
}

}  // namespace

Array argsort(const Array& x, const SortOptions& options, const Location& where) try {
  const ops::Site site = site_of(ops::Op::argsort, where);
  const std::size_t axis = resolve_axis(options.axis, x.shape(), site.operation, where);
  if (x.shape()[axis] > std::numeric_limits<std::int32_t>::max()) {
    site.fail("axis " + std::to_string(axis) + " is too long for indices of 32 bits; shape " +
              to_string(x.shape()));
  }
  const std::size_t rank = x.shape().rank();
  if (axis + 1 != rank) {
    const Indices order = exchanged_with_last(axis, rank);
    return transpose(
        argsort(transpose(x, order, where), {.axis = -1, .descending = options.descending}, where),
        order, where);
  }
  return compute(ops::Op::argsort, x.dtype(), x.device(), x.shape(), DType::i32,
                 std::array{x.view()}, ops::SortAttributes{options.descending},
                 {.site = site_of(ops::Op::argsort, where)});
} catch (const std::bad_alloc&) {
  throw_out_of_memory("argsort");
}

Tensor<std::int32_t> leading(const Tensor<std::int32_t>& order, std::int64_t count,
                             std::int64_t axis, const std::source_location& where) {
  const Shape& shape = order.shape();
  const std::size_t along = resolve_axis(axis, shape, "top_k", where);
  if (count < 0 || count > shape[along]) {
    ops::Site{"top_k", where}.fail("count " + std::to_string(count) + " is not in [0, " +
                                   std::to_string(shape[along]) + "]; shape " + to_string(shape));
  }
  return split(order, {count, shape[along] - count}, axis, where).front();
}

Tensor<std::int32_t> middle(const Tensor<std::int32_t>& order, std::int64_t axis,
                            const std::source_location& where) {
  const Shape& shape = order.shape();
  const std::int64_t extent = shape[resolve_axis(axis, shape, "median", where)];
  if (extent == 0) {
    ops::Site{"median", where}.fail("there is no element on axis " + std::to_string(axis) +
                                    "; shape " + to_string(shape));
  }
  const std::int64_t first = (extent - 1) / 2;
  const std::int64_t past = extent / 2 + 1;
  return split(order, {first, past - first, extent - past}, axis, where)[1];
}

}  // namespace ddx::detail
