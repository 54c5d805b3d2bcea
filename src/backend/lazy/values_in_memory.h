/// \file
/// What has to lie in memory as a whole where nodes run together.

#pragma once

#include "ddx/ir/graph.h"

#include <cstddef>
#include <span>
#include <vector>

namespace ddx::backend::lazy {

/// Of each value, whether it has to be in memory where the nodes of each group run together, a
/// piece after the other: all but the results of their nodes, which have one each, that nobody else
/// reads and that are no results of the graph.
///
/// Requires: no node is in two groups.
/// Cost:     linear in the graph.
[[nodiscard]] std::vector<bool> values_in_memory(const ir::Graph& graph,
                                                 std::span<const std::vector<std::size_t>> groups);

}  // namespace ddx::backend::lazy
