/// \file
/// Which loops can go through the same rows together.

#pragma once

#include "ddx/ir/fusion_plan.h"
#include "ddx/ir/graph.h"

#include <span>
#include <vector>

namespace ddx::ir::detail {

/// The chains of clusters that are complete, none of them in two chains.
///
/// Cost:    linear in the graph, times the length of the chains, which is bounded.
[[nodiscard]] std::vector<RowChain> find_row_chains(const Graph& graph,
                                                    std::span<const Cluster> clusters);

}  // namespace ddx::ir::detail
