// Rules of operations that create and move elements.

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/stablehlo/module.h"
#include "ddx/stablehlo/text.h"

#include "stablehlo/detail/op_check.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace ddx::stablehlo::detail {
namespace {

void check_constant(const OpCheck& check) {
  check.require_result(check.get<Dense>("value").type);
}

void check_iota(const OpCheck& check) {
  (void)check.axis("iota_dimension", check.result().shape.rank());
  check.require(check.result().dtype != DType::boolean, "a type of numbers",
                to_string(check.result()));
}

void check_broadcast(const OpCheck& check) {
  const Shape& from = check.shape(0);
  const Shape& to = check.result().shape;
  check.require_length("broadcast_dimensions", from.rank());
  const Ints& axes = check.ints("broadcast_dimensions");
  check.require_axes("broadcast_dimensions", axes, to.rank());
  for (std::size_t i = 0; i < from.rank(); ++i) {
    const std::int64_t extent = to[static_cast<std::size_t>(axes[i])];
    check.require(from[i] == 1 || from[i] == extent,
                  "axis " + std::to_string(i) + " of extent 1 or " + std::to_string(extent),
                  std::to_string(from[i]));
  }
  check.require_shape(to);
}

void check_concatenate(const OpCheck& check) {
  check.require(check.operands() > 0, "an operand", "none");
  const std::size_t along = check.axis("dimension", check.shape(0).rank());
  Ints extents(check.shape(0).extents().begin(), check.shape(0).extents().end());
  for (std::size_t i = 1; i < check.operands(); ++i) {
    Ints wanted = extents;
    check.require(check.shape(i).rank() == extents.size(),
                  "operands of rank " + std::to_string(extents.size()),
                  to_string(check.operand(i)));
    wanted[along] = check.shape(i)[along];
    check.require_operand(i, {shape_of(wanted), check.operand(0).dtype});
    extents[along] = check.sum(extents[along], check.shape(i)[along]);
  }
  check.require_shape(shape_of(extents));
}

void check_pad(const OpCheck& check) {
  const Shape& x = check.shape(0);
  check.require_operand(1, {{}, check.operand(0).dtype});
  for (const char* name : {"edge_padding_low", "edge_padding_high", "interior_padding"}) {
    check.require_length(name, x.rank());
  }
  Ints extents;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    const std::int64_t interior = check.ints("interior_padding")[axis];
    check.require(interior >= 0, "interior_padding that is not negative", std::to_string(interior));
    const std::int64_t gaps = check.product(std::max<std::int64_t>(x[axis] - 1, 0), interior);
    const std::int64_t own = check.sum(x[axis], gaps);
    extents.push_back(check.sum(check.sum(check.ints("edge_padding_low")[axis], own),
                                check.ints("edge_padding_high")[axis]));
    check.require(extents.back() >= 0, "an extent that is not negative",
                  std::to_string(extents.back()) + " on axis " + std::to_string(axis));
  }
  check.require_shape(shape_of(extents));
}

void check_reshape(const OpCheck& check) {
  check.require(check.shape(0).count() == check.result().shape.count(),
                std::to_string(check.shape(0).count()) + " elements",
                std::to_string(check.result().shape.count()));
  check.require_shape(check.result().shape);
}

void check_slice(const OpCheck& check) {
  const Shape& x = check.shape(0);
  for (const char* name : {"start_indices", "limit_indices", "strides"}) {
    check.require_length(name, x.rank());
  }
  Ints extents;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    const std::int64_t start = check.ints("start_indices")[axis];
    const std::int64_t limit = check.ints("limit_indices")[axis];
    const std::int64_t stride = check.ints("strides")[axis];
    check.require(start >= 0 && start <= limit && limit <= x[axis] && stride > 0,
                  "a slice within [0, " + std::to_string(x[axis]) + ")",
                  std::to_string(start) + " to " + std::to_string(limit) + " by " +
                      std::to_string(stride) + " on axis " + std::to_string(axis));
    extents.push_back(limit == start ? 0 : (limit - start - 1) / stride + 1);
  }
  check.require_shape(shape_of(extents));
}

void check_transpose(const OpCheck& check) {
  const Shape& x = check.shape(0);
  check.require_length("permutation", x.rank());
  const Ints& order = check.ints("permutation");
  check.require_axes("permutation", order, x.rank());
  Ints extents;
  for (const std::int64_t axis : order) {
    extents.push_back(x[static_cast<std::size_t>(axis)]);
  }
  check.require_shape(shape_of(extents));
}

}  // namespace

void check_movement_rule(const OpCheck& check) {
  check.require_results(1);
  switch (info(check.operation().code).rule) {
    case Rule::Constant:
      check_constant(check);
      return;
    case Rule::Iota:
      check_iota(check);
      return;
    case Rule::BroadcastInDim:
      check_broadcast(check);
      return;
    case Rule::Concatenate:
      check_concatenate(check);
      return;
    case Rule::Pad:
      check_pad(check);
      return;
    case Rule::Reshape:
      check_reshape(check);
      return;
    case Rule::Slice:
      check_slice(check);
      return;
    case Rule::Transpose:
      check_transpose(check);
      return;
    default:
      check.require_axes("dimensions", check.ints("dimensions"), check.shape(0).rank());
      check.require_shape(check.shape(0));
  }
}

}  // namespace ddx::stablehlo::detail
