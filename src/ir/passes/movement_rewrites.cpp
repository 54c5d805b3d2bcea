#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"

#include "ir/detail/candidate.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <optional>
#include <variant>
#include <vector>

namespace ddx::ir::detail {
namespace {

using ops::Op;

constexpr Op movements[] = {Op::reshape, Op::broadcast_to, Op::transpose, Op::slice, Op::reverse};

bool moves(Op op) {
  return std::ranges::find(movements, op) != std::end(movements);
}

/// Whether every element stays at its position, given that operand and result have one shape.
bool keeps_order(const Candidate& c) {
  const Shape& shape = c.result.shape;
  switch (c.op) {
    case Op::reshape:
    case Op::broadcast_to:
    case Op::cast:
    case Op::concatenate:
      return true;
    case Op::slice: {
      const auto& box = c.as<ops::SliceAttributes>();
      for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
        if (shape[axis] > 1 && (box.start[axis] != 0 || box.step[axis] != 1)) {
          return false;
        }
      }
      return true;
    }
    case Op::pad: {
      const auto& border = c.as<ops::PadAttributes>();
      for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
        if (border.low[axis] != 0 || (shape[axis] > 1 && border.step[axis] != 1)) {
          return false;
        }
      }
      return true;
    }
    case Op::reverse:
      for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
        if (c.as<ops::AxesAttributes>().contains(axis) && shape[axis] > 1) {
          return false;
        }
      }
      return true;
    case Op::transpose: {
      // Axes of extent 1 may be exchanged with any.
      std::vector<std::size_t> longer;
      for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
        if (shape[axis] != 1) {
          longer.push_back(c.as<ops::PermutationAttributes>().order[axis]);
        }
      }
      return std::ranges::is_sorted(longer);
    }
    default:
      return false;
  }
}

/// move(x) = x, if nothing moves.
std::optional<ValueId> unmoved(const Candidate& c) {
  if (c.operands.size() != 1 || c.type() != c.result || !keeps_order(c)) {
    return std::nullopt;
  }
  return c.operands[0];
}

/// transpose(x) = reshape(x), if only axes of extent 1 move.
std::optional<ValueId> transposed_ones(const Candidate& c) {
  if (c.op != Op::transpose || !keeps_order(c)) {
    return std::nullopt;
  }
  return c.with(Op::reshape, {c.operands[0]});
}

/// reshape(reshape(x)) = reshape(x); the same for broadcast_to.
std::optional<ValueId> repeated(const Candidate& c) {
  if (c.op != Op::reshape && c.op != Op::broadcast_to) {
    return std::nullopt;
  }
  const std::optional<Node> inner = c.made_by(c.op);
  return inner ? std::optional(c.with(c.op, {inner->operands[0]})) : std::nullopt;
}

/// transpose(transpose(x)) is one transpose.
std::optional<ValueId> transposed_twice(const Candidate& c) {
  if (c.op != Op::transpose) {
    return std::nullopt;
  }
  const std::optional<Node> inner = c.made_by(Op::transpose);
  if (!inner) {
    return std::nullopt;
  }
  const auto& first = std::get<ops::PermutationAttributes>(inner->attributes).order;
  ops::PermutationAttributes both;
  for (std::size_t axis = 0; axis < c.result.shape.rank(); ++axis) {
    both.order[axis] = first[c.as<ops::PermutationAttributes>().order[axis]];
  }
  return c.with(Op::transpose, {inner->operands[0]}, both);
}

/// reverse(reverse(x)) reverses the axes that exactly one of them reverses.
std::optional<ValueId> reversed_twice(const Candidate& c) {
  if (c.op != Op::reverse) {
    return std::nullopt;
  }
  const std::optional<Node> inner = c.made_by(Op::reverse);
  if (!inner) {
    return std::nullopt;
  }
  const auto axes = std::get<ops::AxesAttributes>(inner->attributes).axes;
  return c.with(Op::reverse, {inner->operands[0]},
                ops::AxesAttributes{axes ^ c.as<ops::AxesAttributes>().axes});
}

/// slice(slice(x)) is one slice.
std::optional<ValueId> sliced_twice(const Candidate& c) {
  if (c.op != Op::slice) {
    return std::nullopt;
  }
  const std::optional<Node> inner = c.made_by(Op::slice);
  if (!inner) {
    return std::nullopt;
  }
  const auto& first = std::get<ops::SliceAttributes>(inner->attributes);
  ops::SliceAttributes both = c.as<ops::SliceAttributes>();
  for (std::size_t axis = 0; axis < c.result.shape.rank(); ++axis) {
    both.start[axis] = first.start[axis] + both.start[axis] * first.step[axis];
    both.step[axis] *= first.step[axis];
  }
  return c.with(Op::slice, {inner->operands[0]}, both);
}

/// move(full(v)) = full(v).
std::optional<ValueId> moved_number(const Candidate& c) {
  const std::optional<Node> full = moves(c.op) ? c.made_by(Op::full) : std::nullopt;
  return full ? std::optional(c.with(Op::full, {}, full->attributes, full->scalars)) : std::nullopt;
}

/// Whether every value of a dtype is representable in another dtype.
bool holds(DType wide, DType narrow) {
  if (wide == narrow) {
    return true;
  }
  switch (wide) {
    case DType::f64:
      return narrow == DType::f32 || narrow == DType::f16 || narrow == DType::bf16 ||
             narrow == DType::i32 || narrow == DType::u32 || info(narrow).bytes < 4;
    case DType::f32:
      return narrow == DType::f16 || narrow == DType::bf16 ||
             (info(narrow).kind != DTypeKind::Float && info(narrow).bytes <= 2);
    default:
      return false;
  }
}

/// cast(cast(x)) = cast(x), if the first cast loses nothing.
std::optional<ValueId> cast_twice(const Candidate& c) {
  if (c.op != Op::cast) {
    return std::nullopt;
  }
  const std::optional<Node> inner = c.made_by(Op::cast);
  if (!inner || !holds(c.type().dtype, c.graph.type(inner->operands[0]).dtype)) {
    return std::nullopt;
  }
  return c.with(Op::cast, {inner->operands[0]});
}

}  // namespace

std::vector<Rewrite> movement_rewrites() {
  return {{"unmoved", unmoved},
          {"transposed_ones", transposed_ones},
          {"repeated", repeated},
          {"transposed_twice", transposed_twice},
          {"reversed_twice", reversed_twice},
          {"sliced_twice", sliced_twice},
          {"moved_number", moved_number},
          {"cast_twice", cast_twice}};
}

}  // namespace ddx::ir::detail
