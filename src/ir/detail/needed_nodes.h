/// \file
/// What results need.

#pragma once

#include "ddx/ir/graph.h"

#include <span>
#include <vector>

namespace ddx::ir::detail {

/// For each value, whether a way leads from it to one of the results.
[[nodiscard]] std::vector<bool> needed_values(const Graph& graph, std::span<const ValueId> results);

/// Whether a result of the node is among the needed values.
[[nodiscard]] bool is_needed(const std::vector<bool>& needed, const Node& node);

}  // namespace ddx::ir::detail
