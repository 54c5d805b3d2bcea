/// \file
/// Which values are materialised as a whole where nodes run together.

#pragma once

#include "ddx/ir/graph.h"

#include <cstddef>
#include <span>
#include <vector>

namespace ddx::backend::lazy {

/// Of each value, whether it is materialised where the nodes of each group run together, tile after
/// tile: all except for results of their nodes that only the same group reads and that are no
/// results of the graph. Each of their nodes has one result.
///
/// Requires: no node is in two groups.
/// Cost:     linear in the graph.
[[nodiscard]] std::vector<bool> materialised_values(
    const ir::Graph& graph, std::span<const std::vector<std::size_t>> groups);

}  // namespace ddx::backend::lazy
