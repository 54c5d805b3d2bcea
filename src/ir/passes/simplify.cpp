#include "ddx/ir/passes/simplify.h"

#include "ddx/core/dtype.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"

#include "ir/detail/candidate.h"
#include "ir/detail/rebuild.h"

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ddx::ir {
namespace detail {

std::optional<Node> Candidate::made_by(ops::Op maker, std::size_t operand) const {
  const std::optional<std::size_t> producer = graph.producer(operands[operand]);
  if (!producer) {
    return std::nullopt;
  }
  // The replacement of an operation with a check would not run the check.
  const Node node = graph.node(*producer);
  return node.op == maker && node.check == unchecked ? std::optional<Node>(node) : std::nullopt;
}

std::optional<ops::Literal> Candidate::constant(std::size_t operand) const {
  const std::optional<Node> full = made_by(ops::Op::full, operand);
  if (!full || full->scalars[0] != baked) {
    return std::nullopt;
  }
  return std::get<ops::FullAttributes>(full->attributes).value;
}

bool Candidate::is_constant(std::size_t operand, double value) const {
  const std::optional<ops::Literal> number = constant(operand);
  if (!number) {
    return false;
  }
  const DTypeKind kind = info(type(operand).dtype).kind;
  if (kind == DTypeKind::Complex && number->imaginary != 0) {
    return false;
  }
  return kind == DTypeKind::Float || kind == DTypeKind::Complex
             ? number->real == value
             : static_cast<double>(number->integer) == value;
}

ValueId Candidate::with(ops::Op other, std::initializer_list<ValueId> other_operands,
                        const ops::Attributes& other_attributes,
                        const ScalarFields& other_scalars) const {
  return emit({graph, other, other_operands, other_attributes, result, other_scalars, where, emit});
}

namespace {

std::vector<Rewrite> all_rewrites() {
  std::vector<Rewrite> all;
  for (const auto& group :
       {constant_rewrites(), movement_rewrites(), elementwise_rewrites(), contraction_rewrites()}) {
    all.insert(all.end(), group.begin(), group.end());
  }
  return all;
}

}  // namespace
}  // namespace detail

Graph simplify(const Graph& graph) {
  const std::vector<detail::Rewrite> rewrites = detail::all_rewrites();
  detail::Rebuild rebuild(graph);
  Graph& built = rebuild.graph();
  const std::function<ValueId(detail::Candidate)> emit = [&](const detail::Candidate& candidate) {
    for (const detail::Rewrite& rewrite : rewrites) {
      if (const std::optional<ValueId> value = rewrite.apply(candidate)) {
        return *value;
      }
    }
    return built.add_node(candidate.op, candidate.operands, candidate.attributes,
                          {&candidate.result, 1}, candidate.scalars, candidate.where);
  };
  for (std::size_t i = 0; i < graph.node_count(); ++i) {
    const Node node = graph.node(i);
    if (node.op.is_control() || node.result_count != 1 || node.check != unchecked) {
      rebuild.copy(node, simplify);
      continue;
    }
    const auto operands = rebuild.operands_of(node);
    rebuild.replace(node.result(), emit({built,
                                         node.op.row(),
                                         {operands.begin(), operands.end()},
                                         node.attributes,
                                         graph.type(node.result()),
                                         node.scalars,
                                         node.where,
                                         emit}));
  }
  return std::move(rebuild).finish();
}

std::vector<std::string_view> simplification_names() {
  std::vector<std::string_view> names;
  for (const detail::Rewrite& rewrite : detail::all_rewrites()) {
    names.emplace_back(rewrite.name);
  }
  return names;
}

}  // namespace ddx::ir
