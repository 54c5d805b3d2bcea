/// \file
/// Which values the results depend on.

#pragma once

#include "ddx/ir/graph.h"

#include <span>
#include <vector>

namespace ddx::ir::detail {

/// For each value, whether one of the results depends on it.
[[nodiscard]] std::vector<bool> needed_values(const Graph& graph, std::span<const ValueId> results);

/// Whether a result of the node is among the needed values.
[[nodiscard]] bool is_needed(const std::vector<bool>& needed, const Node& node);

}  // namespace ddx::ir::detail
