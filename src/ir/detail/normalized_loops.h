/// \file
/// Finds loops that can run as epilogues of a normalisation.

#pragma once

#include "ddx/ir/fusion_plan.h"
#include "ddx/ir/graph.h"

#include <span>
#include <vector>

namespace ddx::ir::detail {

/// The loops that read a batch normalisation's elements and can run at its position. None of them
/// is in `chains`.
///
/// Cost:    linear in the graph.
[[nodiscard]] std::vector<NormalizedLoop> find_normalized_loops(const Graph& graph,
                                                                std::span<const Cluster> clusters,
                                                                std::span<const RowChain> chains);

}  // namespace ddx::ir::detail
