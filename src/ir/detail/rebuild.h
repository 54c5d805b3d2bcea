/// \file
/// What passes make their new graph with.

#pragma once

#include "ddx/ir/graph.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/op.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace ddx::ir::detail {

/// A graph under construction from the nodes of another one, and which values of it stand for which
/// of the other's.
class Rebuild {
 public:
  /// Begins with all parameters, scalars and checks of the other graph.
  explicit Rebuild(const Graph& from);
  /// Begins with some parameters. Scalars and checks come with the nodes that are copied.
  Rebuild(const Graph& from, std::span<const ValueId> parameters);

  /// The value that stands for one of the other graph's.
  [[nodiscard]] ValueId operator[](ValueId old) const noexcept { return map_[Graph::index(old)]; }
  void replace(ValueId old, ValueId by) noexcept { map_[Graph::index(old)] = by; }

  /// The operands of a node of the other graph, as they are here. Valid until the next call.
  [[nodiscard]] std::span<const ValueId> operands_of(const Node& node);
  /// The types of a node's results. Valid until the next call.
  [[nodiscard]] std::span<const Type> results_of(const Node& node);

  /// A node with regions as it is to be appended here, each region sent through a pass.
  [[nodiscard]] ControlFlow control_of(const Node& node, Graph (*pass)(const Graph&) = nullptr);

  /// Appends a node of the other graph, its regions sent through a pass, and lets its results stand
  /// for the old ones.
  void copy(const Node& node, Graph (*pass)(const Graph&) = nullptr);

  [[nodiscard]] Graph& graph() noexcept { return to_; }

  /// The graph, with what stands for the other one's results for results.
  [[nodiscard]] Graph finish() &&;
  /// The graph, with what stands for these values of the other one for results.
  [[nodiscard]] Graph finish(std::span<const ValueId> results) &&;

 private:
  [[nodiscard]] ScalarFields scalars_of(const Node& node);
  [[nodiscard]] ScalarId own(ScalarId scalar);
  [[nodiscard]] CheckId own(CheckId check);

  const Graph& from_;
  Graph to_;
  std::vector<ValueId> map_;
  std::vector<ScalarId> scalars_;  // Of the other graph's, here; baked: not there yet.
  std::vector<CheckId> checks_;    // The same; unchecked: not there yet.
  std::vector<std::shared_ptr<const Graph>> regions_;  // Behind the pass; null: not there yet.
  std::vector<ValueId> operands_;
  std::vector<Type> results_;
};

}  // namespace ddx::ir::detail
