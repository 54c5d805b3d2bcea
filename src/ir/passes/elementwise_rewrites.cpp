#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"

#include "ir/detail/candidate.h"

#include <cmath>
#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

namespace ddx::ir::detail {
namespace {

using ops::Op;

bool is_pairwise(Op op) {
  const ops::Family family = ops::info(op).family;
  return family == ops::Family::Binary || family == ops::Family::Comparison ||
         family == ops::Family::ScaledSum;
}

/// The other operand, if one has no effect: x + 0, x - 0, x * 1, x / 1, x^1.
std::optional<ValueId> neutral_operand(const Candidate& c) {
  const auto left = [&](std::size_t kept) {
    return c.type(kept) == c.result ? std::optional(c.operands[kept]) : std::nullopt;
  };
  switch (c.op) {
    case Op::add:
      return c.is_constant(1, 0) ? left(0) : c.is_constant(0, 0) ? left(1) : std::nullopt;
    case Op::mul:
    case Op::cotangent_product:
      return c.is_constant(1, 1) ? left(0) : c.is_constant(0, 1) ? left(1) : std::nullopt;
    case Op::sub:
      return c.is_constant(1, 0) ? left(0) : std::nullopt;
    case Op::div:
    case Op::cotangent_quotient:
    case Op::pow:
      return c.is_constant(1, 1) ? left(0) : std::nullopt;
    default:
      return std::nullopt;
  }
}

/// x / c = x * (1 / c) for powers of two, which is exact.
std::optional<ValueId> divided_by_power_of_two(const Candidate& c) {
  if (c.op != Op::div || info(c.result.dtype).kind != DTypeKind::Float) {
    return std::nullopt;
  }
  const std::optional<ops::Literal> divisor = c.constant(1);
  int exponent = 0;
  // Within the normal numbers of every type, and their reciprocals too.
  if (!divisor || std::abs(std::frexp(divisor->real, &exponent)) != 0.5 ||
      std::abs(exponent) > 14) {
    return std::nullopt;
  }
  const Candidate reciprocal{
      c.graph,   Op::full,  {},      ops::FullAttributes{{.real = 1 / divisor->real, .integer = 0}},
      c.type(1), all_baked, c.where, c.emit};
  return c.with(Op::mul, {c.operands[0], c.emit(reciprocal)});
}

/// x^2 = square(x).
std::optional<ValueId> second_power(const Candidate& c) {
  if (c.op != Op::pow || !c.is_constant(1, 2) || c.type(0) != c.result) {
    return std::nullopt;
  }
  return c.with(Op::square, {c.operands[0]});
}

/// cotangent_product(x, x) = x x, which is 0 where x is, as the program may multiply itself.
std::optional<ValueId> product_of_itself(const Candidate& c) {
  if (c.op != Op::cotangent_product || c.operands[0] != c.operands[1]) {
    return std::nullopt;
  }
  return c.with(Op::mul, {c.operands[0], c.operands[1]});
}

/// -(-x) = x, and the same for the negations of logic and bits.
std::optional<ValueId> negated_twice(const Candidate& c) {
  if (c.op != Op::neg && c.op != Op::logical_not && c.op != Op::bitwise_not) {
    return std::nullopt;
  }
  const std::optional<Node> inner = c.made_by(c.op);
  return inner ? std::optional(inner->operands[0]) : std::nullopt;
}

/// f(f(x)) = f(x).
std::optional<ValueId> idempotent(const Candidate& c) {
  constexpr Op known[] = {Op::relu, Op::abs, Op::floor, Op::ceil, Op::round, Op::sign};
  for (const Op op : known) {
    if (c.op == op && c.made_by(op)) {
      return c.operands[0];
    }
  }
  return std::nullopt;
}

/// x + (-y) = x - y, and x - (-y) = x + y.
std::optional<ValueId> added_negative(const Candidate& c) {
  if (c.op != Op::add && c.op != Op::sub) {
    return std::nullopt;
  }
  if (const std::optional<Node> negative = c.made_by(Op::neg, 1)) {
    return c.with(c.op == Op::add ? Op::sub : Op::add, {c.operands[0], negative->operands[0]});
  }
  return std::nullopt;
}

/// add_scaled(x, y, 1) = x + y.
std::optional<ValueId> scaled_by_one(const Candidate& c) {
  if (c.op != Op::add_scaled || c.scalars[0] != baked || c.as<ops::ScaleAttributes>().scale != 1) {
    return std::nullopt;
  }
  return c.with(Op::add, {c.operands[0], c.operands[1]});
}

/// The operation itself broadcasts an operand that was broadcast before; a number needs no shape.
std::optional<ValueId> stretched_operand(const Candidate& c) {
  if (!is_pairwise(c.op)) {
    return std::nullopt;
  }
  for (const std::size_t operand : {0U, 1U}) {
    // The other operand must have the result's shape by itself.
    if (c.type(1 - operand).shape != c.result.shape) {
      continue;
    }
    std::optional<ValueId> bare;
    if (const std::optional<Node> stretched = c.made_by(Op::broadcast_to, operand)) {
      bare = stretched->operands[0];
    } else if (const std::optional<Node> full = c.made_by(Op::full, operand);
               full && c.type(operand).shape.rank() > 0) {
      bare = c.emit({c.graph,
                     Op::full,
                     {},
                     full->attributes,
                     {Shape{}, c.type(operand).dtype},
                     full->scalars,
                     full->where,
                     c.emit});
    }
    if (bare) {
      return operand == 0 ? c.with(c.op, {*bare, c.operands[1]}, c.attributes, c.scalars)
                          : c.with(c.op, {c.operands[0], *bare}, c.attributes, c.scalars);
    }
  }
  return std::nullopt;
}

/// select(true, a, b) = a, select(false, a, b) = b, select(c, a, a) = a.
std::optional<ValueId> known_choice(const Candidate& c) {
  if (c.op != Op::select) {
    return std::nullopt;
  }
  const std::optional<ops::Literal> condition = c.constant(0);
  if (!condition && c.operands[1] != c.operands[2]) {
    return std::nullopt;
  }
  const std::size_t chosen = condition && condition->integer == 0 ? 2 : 1;
  return c.type(chosen) == c.result ? c.operands[chosen]
                                    : c.with(Op::broadcast_to, {c.operands[chosen]});
}

}  // namespace

std::vector<Rewrite> elementwise_rewrites() {
  return {{"neutral_operand", neutral_operand},
          {"divided_by_power_of_two", divided_by_power_of_two},
          {"second_power", second_power},
          {"product_of_itself", product_of_itself},
          {"negated_twice", negated_twice},
          {"idempotent", idempotent},
          {"added_negative", added_negative},
          {"scaled_by_one", scaled_by_one},
          {"stretched_operand", stretched_operand},
          {"known_choice", known_choice}};
}

}  // namespace ddx::ir::detail
