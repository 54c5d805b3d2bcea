/// \file
/// Finds loops that can be fused row-wise.

#pragma once

#include "ddx/ir/fusion_plan.h"
#include "ddx/ir/graph.h"

#include <span>
#include <vector>

namespace ddx::ir::detail {

/// The groups among complete clusters; no cluster is in two of them.
///
/// Cost:    linear in the graph, times the length of a group, which is bounded.
[[nodiscard]] std::vector<RowwiseGroup> find_rowwise_groups(const Graph& graph,
                                                            std::span<const Cluster> clusters);

}  // namespace ddx::ir::detail
