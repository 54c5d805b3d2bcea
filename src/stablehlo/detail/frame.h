/// \file
/// A graph, or a region of one, during emission.

#pragma once

#include "ddx/ir/graph.h"

#include "stablehlo/detail/builder.h"

#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace ddx::stablehlo::detail {

/// A use of a scalar: its number and type.
struct ScalarUse {
  std::size_t scalar;
  ir::Type type;

  friend bool operator==(const ScalarUse&, const ScalarUse&) = default;
};

/// How a graph and its regions use its scalars: by their number, and for each in the order of first
/// use. Every use is listed once.
[[nodiscard]] std::vector<ScalarUse> scalar_uses(const ir::Graph& graph);

/// The values of a graph emitted so far.
struct Frame {
  const ir::Graph& graph;
  std::vector<std::optional<Value>> values;
  std::vector<std::pair<ScalarUse, Value>> scalars;
  std::vector<std::optional<Value>> checks;  ///< Whether each has failed; none if it cannot fail.

  explicit Frame(const ir::Graph& of)
      : graph(of), values(of.value_count()), checks(of.check_count()) {}

  [[nodiscard]] const Value& at(ir::ValueId id) const { return *values[ir::Graph::index(id)]; }
  [[nodiscard]] const Value& scalar(const ScalarUse& use) const;
  [[nodiscard]] Values results() const;
  /// The checks, in order: false for those that cannot fail.
  [[nodiscard]] Values failures(Builder& builder) const;
};

/// Emits all nodes of a frame whose parameters are set.
void emit_nodes(Builder& builder, Frame& frame, bool fast_products);

/// Emits a node with regions.
void emit_control(Builder& builder, Frame& frame, const ir::Node& node, bool fast_products);

}  // namespace ddx::stablehlo::detail
