/// \file
/// Finds loops that can run as epilogues of a normalisation.

#pragma once

#include "ddx/ir/fusion_plan.h"
#include "ddx/ir/graph.h"

#include <span>
#include <vector>

namespace ddx::ir::detail {

/// The loops that read a batch normalisation's elements and can run at its position. None of them
/// is in `groups`.
///
/// Cost:    linear in the graph.
[[nodiscard]] std::vector<NormalizationEpilogue> find_normalization_epilogues(
    const Graph& graph, std::span<const Cluster> clusters, std::span<const RowwiseGroup> groups);

}  // namespace ddx::ir::detail
