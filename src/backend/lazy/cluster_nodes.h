/// \file
/// The nodes of a loop of the fusion plan, by what they do.

#pragma once

#include "ddx/ir/fusion_plan.h"
#include "ddx/ir/graph.h"

#include <cstddef>
#include <vector>

namespace ddx::backend::lazy {

/// The nodes that make an element of their result from elements at one place.
[[nodiscard]] std::vector<std::size_t> elementwise_nodes(const ir::Graph& graph,
                                                         const ir::Cluster& loop);

/// The reductions of what the others, or earlier loops, make.
[[nodiscard]] std::vector<std::size_t> reduction_nodes(const ir::Graph& graph,
                                                       const ir::Cluster& loop);

}  // namespace ddx::backend::lazy
