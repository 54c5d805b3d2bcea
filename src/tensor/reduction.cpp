#include "ddx/tensor/reduction.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/ops/op.h"
#include "ddx/ops/reduction.h"
#include "ddx/ops/site.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/operations.h"

#include "tensor/detail/complex_as_real.h"
#include "tensor/detail/dispatch.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string>

namespace ddx::detail {

Array reduce(ops::Op op, const Array& x, const ReductionOptions& options,
             const Location& where) try {
  const ops::Site site = site_of(op, where);
  const auto [shape, attributes] =
      ops::reduction_shape(site, op, x.shape(), options.axes, options.keep_dims);
  if (is_complex(x.dtype()) && (op == ops::Op::sum || op == ops::Op::mean)) {
    const Array pairs = pairs_of(x, x.device());
    return from_pairs(compute(op, pairs.dtype(), x.device(), shape_of_pairs(shape), pairs.dtype(),
                              std::array{pairs.view()}, attributes, {.site = site}));
  }
  return compute(op, x.dtype(), x.device(), shape, x.dtype(), std::array{x.view()}, attributes,
                 {.site = site});
} catch (const std::bad_alloc&) {
  throw_out_of_memory(to_string(op));
}

Array restore_axes(const Array& reduced, const Shape& shape, const ReductionOptions& options) {
  const auto kept =
      ops::reduction_shape(site_of(ops::Op::sum, {}), ops::Op::sum, shape, options.axes, true);
  return reshape(reduced, kept.shape, {});
}

ReducedLast reduced_last(const Shape& shape, const ReductionOptions& options) {
  const auto attributes = ops::reduction_shape(site_of(ops::Op::product, {}), ops::Op::product,
                                               shape, options.axes, true)
                              .attributes;
  std::array<std::int64_t, Shape::max_rank> order{};
  std::array<std::int64_t, Shape::max_rank> extents{};
  std::size_t rank = 0;
  std::int64_t reduced = 1;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    if (!attributes.reduces(axis)) {
      extents[rank] = shape[axis];
      order[rank++] = static_cast<std::int64_t>(axis);
    }
  }
  std::size_t next = rank;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    if (attributes.reduces(axis)) {
      reduced *= shape[axis];
      order[next++] = static_cast<std::int64_t>(axis);
    }
  }
  extents[rank++] = reduced;
  return {Indices(std::span<const std::int64_t>(order.data(), shape.rank())),
          Shape(std::span<const std::int64_t>(extents.data(), rank))};
}

void check_norm_order(double order, const Location& where) {
  if (!(order >= 1)) {
    ops::Site{"norm", where}.fail("the order " + std::to_string(order) + " is below 1");
  }
}

Array arg_reduce(ops::Op op, const Array& x, std::int64_t axis, const Location& where) try {
  const auto [shape, attributes] = ops::arg_reduction_shape(site_of(op, where), x.shape(), axis);
  return compute(op, x.dtype(), x.device(), shape, DType::i32, std::array{x.view()}, attributes,
                 {.site = site_of(op, where)});
} catch (const std::bad_alloc&) {
  throw_out_of_memory(to_string(op));
}

}  // namespace ddx::detail
