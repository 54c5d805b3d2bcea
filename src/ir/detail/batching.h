/// \file
/// Builds the new graph of vmap's rules.

#pragma once

#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/op.h"

#include <cstddef>
#include <span>
#include <vector>

namespace ddx::ir::detail {

/// A value that replaces one of the mapped graph: of all examples along its first axis, or shared
/// by all.
struct Batched {
  ValueId value;
  bool is_mapped;
};

/// A graph under construction whose values may have the axis of the examples in front.
class Batching {
 public:
  Batching(const Graph& from, const std::vector<bool>& mapped, Shape::Extent examples);

  [[nodiscard]] const Graph& from() const noexcept { return from_; }
  [[nodiscard]] Shape::Extent examples() const noexcept { return examples_; }
  [[nodiscard]] const Batched& operator[](ValueId old) const noexcept {
    return map_[Graph::index(old)];
  }
  void set(ValueId old, Batched by) noexcept { map_[Graph::index(old)] = by; }

  [[nodiscard]] bool is_mapped(const Node& node, std::size_t operand) const noexcept {
    return (*this)[node.operands[operand]].is_mapped;
  }
  [[nodiscard]] bool any_is_mapped(const Node& node) const noexcept;
  /// Whether this operand is mapped, and no other.
  [[nodiscard]] bool only_is_mapped(const Node& node, std::size_t operand) const noexcept;
  /// The type of an operand for one example.
  [[nodiscard]] const Type& type_of(const Node& node, std::size_t operand) const noexcept {
    return from_.type(node.operands[operand]);
  }

  /// The batched shape for a shape of one example.
  ///
  /// Throws:  UsageError if it exceeds the maximum rank.
  [[nodiscard]] Shape for_all(const Shape& shape) const;
  [[nodiscard]] Type for_all(const Type& type) const { return {for_all(type.shape), type.dtype}; }

  /// The operand, unchanged.
  [[nodiscard]] ValueId plain(const Node& node, std::size_t operand) const noexcept {
    return (*this)[node.operands[operand]].value;
  }
  /// The operand with the axis of the examples, which is added if it has none.
  [[nodiscard]] ValueId with_examples(const Node& node, std::size_t operand);

  [[nodiscard]] ValueId reshaped(ValueId value, const Shape& shape);
  [[nodiscard]] ValueId stretched(ValueId value, const Shape& shape);
  [[nodiscard]] ValueId moved_to_front(ValueId value, std::size_t axis);
  /// Merges the axis of the examples with the next one.
  [[nodiscard]] ValueId folded(ValueId value);

  /// Appends an operation with the scalars, the check and the line of a node.
  ValueId add(const Node& like, std::span<const ValueId> operands,
              const ops::Attributes& attributes, std::span<const Type> results);

  /// Appends the node with other operands, these attributes, and batched results, which replace its
  /// old ones.
  void map(const Node& node, std::span<const ValueId> operands, const ops::Attributes& attributes);
  /// The same, if the first axis of one example is merged with that of the examples.
  void map_folded(const Node& node, std::span<const ValueId> operands);
  /// Appends the operation once for each example, and concatenates the results.
  void unroll(const Node& node);
  /// Appends the node unchanged: none of its operands is mapped.
  void copy(const Node& node);

  /// The results, all with the axis of the examples.
  /// Sets `checks` as described in Vmapped::checks.
  [[nodiscard]] Graph finish(std::vector<CheckId>& checks) &&;

 private:
  [[nodiscard]] std::vector<Type> results_of(const Node& node) const;
  [[nodiscard]] ValueId example(ValueId all, Shape::Extent number);
  [[nodiscard]] ValueId put_together(std::span<const ValueId> parts, const Type& one);
  [[nodiscard]] ValueId for_all_examples(const Batched& value);

  const Graph& from_;
  Shape::Extent examples_;
  Graph to_;
  std::vector<Batched> map_;
  std::vector<CheckId> checks_;
};

}  // namespace ddx::ir::detail
