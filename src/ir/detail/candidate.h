/// \file
/// An operation that is about to be appended, as seen by a rewrite.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <optional>
#include <source_location>
#include <variant>
#include <vector>

namespace ddx::ir::detail {

/// One operation with one result, on values of the graph under construction.
struct Candidate {
  const Graph& graph;
  ops::Op op;
  std::vector<ValueId> operands;
  ops::Attributes attributes;
  Type result;
  ScalarFields scalars;
  std::source_location where;
  /// Appends another operation, itself rewritten if a row applies.
  const std::function<ValueId(Candidate)>& emit;

  [[nodiscard]] const Type& type(std::size_t operand = 0) const {
    return graph.type(operands[operand]);
  }
  template <class A>
  [[nodiscard]] const A& as() const {
    return std::get<A>(attributes);
  }

  /// The node that computes an operand, if it is of this operation and has no check.
  [[nodiscard]] std::optional<Node> made_by(ops::Op maker, std::size_t operand = 0) const;

  /// The number in every element of an operand, if it is known.
  [[nodiscard]] std::optional<ops::Literal> constant(std::size_t operand) const;
  /// Whether every element of an operand is this number.
  [[nodiscard]] bool is_constant(std::size_t operand, double value) const;

  /// Another operation in place of this one, with the same result.
  [[nodiscard]] ValueId with(ops::Op other, std::initializer_list<ValueId> other_operands,
                             const ops::Attributes& other_attributes = ops::NoAttributes{},
                             const ScalarFields& other_scalars = all_baked) const;
};

/// A row of the table of rewrites.
struct Rewrite {
  const char* name;
  /// The value that replaces the candidate's result, if the rewrite applies.
  std::optional<ValueId> (*apply)(const Candidate& candidate);
};

/// The rewrites of constants, of movement, of elementwise and of other operations.
[[nodiscard]] std::vector<Rewrite> constant_rewrites();
[[nodiscard]] std::vector<Rewrite> movement_rewrites();
[[nodiscard]] std::vector<Rewrite> elementwise_rewrites();
[[nodiscard]] std::vector<Rewrite> contraction_rewrites();

}  // namespace ddx::ir::detail
