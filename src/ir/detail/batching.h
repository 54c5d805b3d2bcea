/// \file
/// What the rules of vmap make their new graph with.

#pragma once

#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/op.h"

#include <cstddef>
#include <span>
#include <vector>

namespace ddx::ir::detail {

/// A value that stands for one of the graph that is mapped: of all examples, along its first axis,
/// or the same for all.
struct Batched {
  ValueId value;
  bool is_mapped;
};

/// A graph under construction in which values may have the axis of the examples in front.
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
  /// Whether of the operands that one is mapped, and no other.
  [[nodiscard]] bool only_is_mapped(const Node& node, std::size_t operand) const noexcept;
  /// The type of an operand of one example.
  [[nodiscard]] const Type& type_of(const Node& node, std::size_t operand) const noexcept {
    return from_.type(node.operands[operand]);
  }

  /// A shape of one example, for all.
  ///
  /// Throws:  UsageError where it then has too many axes.
  [[nodiscard]] Shape for_all(const Shape& shape) const;
  [[nodiscard]] Type for_all(const Type& type) const { return {for_all(type.shape), type.dtype}; }

  /// The operand as it is.
  [[nodiscard]] ValueId plain(const Node& node, std::size_t operand) const noexcept {
    return (*this)[node.operands[operand]].value;
  }
  /// The operand with the axis of the examples, which it gets where it has none.
  [[nodiscard]] ValueId with_examples(const Node& node, std::size_t operand);

  [[nodiscard]] ValueId reshaped(ValueId value, const Shape& shape);
  [[nodiscard]] ValueId stretched(ValueId value, const Shape& shape);
  [[nodiscard]] ValueId moved_to_front(ValueId value, std::size_t axis);
  /// The first axis of all examples and the next one as one.
  [[nodiscard]] ValueId folded(ValueId value);

  /// Appends an operation with the scalars, the check and the line of a node.
  ValueId add(const Node& like, std::span<const ValueId> operands,
              const ops::Attributes& attributes, std::span<const Type> results);

  /// Appends the node with other operands, the attributes given, and results for all examples, for
  /// which they stand from then on.
  void map(const Node& node, std::span<const ValueId> operands, const ops::Attributes& attributes);
  /// The same, where the first axis of one example and that of the examples are one.
  void map_folded(const Node& node, std::span<const ValueId> operands);
  /// The same operation for each example, and the results put together.
  void unroll(const Node& node);
  /// The node as it is: none of its operands is mapped.
  void copy(const Node& node);

  /// Results, all with the axis of the examples.
  /// `checks` becomes what Vmapped::checks says.
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
