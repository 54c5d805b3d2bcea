/// \file
/// Builds the new graph of a pass.

#pragma once

#include "ddx/ir/graph.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/op.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace ddx::ir::detail {

/// A graph under construction from the nodes of another one, with the mapping of values.
class Rebuild {
 public:
  /// Starts with all parameters, scalars and checks of the other graph.
  explicit Rebuild(const Graph& from);
  /// Starts with some parameters. Scalars and checks are added with the nodes that are copied.
  Rebuild(const Graph& from, std::span<const ValueId> parameters);

  /// The value here that replaces a value of the other graph.
  [[nodiscard]] ValueId operator[](ValueId old) const noexcept { return map_[Graph::index(old)]; }
  void replace(ValueId old, ValueId by) noexcept { map_[Graph::index(old)] = by; }

  /// The operands here of a node of the other graph. Valid until the next call.
  [[nodiscard]] std::span<const ValueId> operands_of(const Node& node);
  /// The types of a node's results. Valid until the next call.
  [[nodiscard]] std::span<const Type> results_of(const Node& node);

  /// A node with regions to be appended here, each region transformed by a pass.
  [[nodiscard]] ControlFlow control_of(const Node& node, Graph (*pass)(const Graph&) = nullptr);

  /// Appends a node of the other graph, its regions transformed by a pass, and maps its old results
  /// to the new ones.
  void copy(const Node& node, Graph (*pass)(const Graph&) = nullptr);

  [[nodiscard]] Graph& graph() noexcept { return to_; }

  /// The graph, with the values mapped from the other graph's results as results.
  [[nodiscard]] Graph finish() &&;
  /// The graph, with the values mapped from these values of the other one as results.
  [[nodiscard]] Graph finish(std::span<const ValueId> results) &&;

 private:
  [[nodiscard]] ScalarFields scalars_of(const Node& node);
  [[nodiscard]] ScalarId own(ScalarId scalar);
  [[nodiscard]] CheckId own(CheckId check);

  const Graph& from_;
  Graph to_;
  std::vector<ValueId> map_;
  std::vector<ScalarId> scalars_;  // By the other graph's number; baked: not added yet.
  std::vector<CheckId> checks_;    // The same; unchecked: not added yet.
  std::vector<std::shared_ptr<const Graph>> regions_;  // After the pass; null: not added yet.
  std::vector<ValueId> operands_;
  std::vector<Type> results_;
};

}  // namespace ddx::ir::detail
