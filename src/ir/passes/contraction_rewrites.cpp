#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"

#include "ir/detail/candidate.h"

#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

namespace ddx::ir::detail {
namespace {

using ops::Op;

/// Whether an axis order swaps the last two and nothing else.
bool exchanges_last(const ops::PermutationAttributes& permutation, std::size_t rank) {
  if (rank < 2) {
    return false;
  }
  for (std::size_t axis = 0; axis + 2 < rank; ++axis) {
    if (permutation.order[axis] != axis) {
      return false;
    }
  }
  return permutation.order[rank - 2] == rank - 1 && permutation.order[rank - 1] == rank - 2;
}

/// matmul(transpose(a), b) transposes during the multiplication.
std::optional<ValueId> transposed_factor(const Candidate& c) {
  if (c.op != Op::matmul) {
    return std::nullopt;
  }
  for (const std::size_t operand : {0U, 1U}) {
    const std::optional<Node> transpose = c.made_by(Op::transpose, operand);
    if (!transpose || !exchanges_last(std::get<ops::PermutationAttributes>(transpose->attributes),
                                      c.type(operand).shape.rank())) {
      continue;
    }
    ops::MatmulAttributes flags = c.as<ops::MatmulAttributes>();
    bool& flag = operand == 0 ? flags.transpose_left : flags.transpose_right;
    flag = !flag;
    const ValueId bare = transpose->operands[0];
    return operand == 0 ? c.with(Op::matmul, {bare, c.operands[1]}, flags)
                        : c.with(Op::matmul, {c.operands[0], bare}, flags);
  }
  return std::nullopt;
}

/// A reduction over axes of extent 1 only, or over none, is a reshape.
std::optional<ValueId> reduced_ones(const Candidate& c) {
  if (ops::info(c.op).family != ops::Family::Reduction) {
    return std::nullopt;
  }
  const auto& attributes = c.as<ops::ReductionAttributes>();
  const Shape& x = c.type().shape;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    if (attributes.reduces(axis) && x[axis] != 1) {
      return std::nullopt;
    }
  }
  return c.with(Op::reshape, {c.operands[0]});
}

/// max(max(x)) is one over both sets of axes. Sums are kept: another order rounds differently.
std::optional<ValueId> reduced_twice(const Candidate& c) {
  if (c.op != Op::max && c.op != Op::min && c.op != Op::all && c.op != Op::any) {
    return std::nullopt;
  }
  const std::optional<Node> inner = c.made_by(c.op);
  if (!inner) {
    return std::nullopt;
  }
  const auto& outer = c.as<ops::ReductionAttributes>();
  const auto& first = std::get<ops::ReductionAttributes>(inner->attributes);
  if (outer.keep_dims != first.keep_dims) {
    return std::nullopt;
  }
  ops::ReductionAttributes both = first;
  std::size_t left = 0;  // The axis of the inner result that an axis of x became.
  const std::size_t rank = c.graph.type(inner->operands[0]).shape.rank();
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const bool gone = first.reduces(axis) && !first.keep_dims;
    if (!gone && outer.reduces(left)) {
      both.axes |= 1U << axis;
    }
    left += gone ? 0 : 1;
  }
  return c.with(c.op, {inner->operands[0]}, both);
}

}  // namespace

std::vector<Rewrite> contraction_rewrites() {
  return {{"transposed_factor", transposed_factor},
          {"reduced_ones", reduced_ones},
          {"reduced_twice", reduced_twice}};
}

}  // namespace ddx::ir::detail
