/// \file
/// Which loops go over elements while they are normalised.

#pragma once

#include "ddx/ir/fusion_plan.h"
#include "ddx/ir/graph.h"

#include <span>
#include <vector>

namespace ddx::ir::detail {

/// The loops that can run where a normalisation of a batch stands whose elements they read. None of
/// those in `chains` is among them.
///
/// Cost:    linear in the graph.
[[nodiscard]] std::vector<NormalizedLoop> find_normalized_loops(const Graph& graph,
                                                                std::span<const Cluster> clusters,
                                                                std::span<const RowChain> chains);

}  // namespace ddx::ir::detail
