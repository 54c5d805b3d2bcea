/// \file
/// Runs the operations of a graph that hold graphs.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/backend/evaluate.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/kernel.h"

#include <functional>
#include <span>
#include <vector>

namespace ddx::backend {

/// Computes the results of a region, as outcomes_of does; buffers that are donated as to GraphRun.
using RegionRunner = std::function<std::vector<Outcome>(
    ir::RegionId region, const Arguments& arguments, std::span<Buffer> donated)>;

/// Elements that another owner has, as a buffer of their own.
[[nodiscard]] Buffer copy_of(const ops::View& view);

/// Computes the results of a node with regions from its operands, which have elements, and the
/// scalars and checks of the graph around it. Where what a region returns has failed, all results
/// fail for the same reason, and nothing more runs. `donated` has a buffer for each operand: where
/// there is one, the operand lies in it, and a loop may write over it where it is its carry.
///
/// Cost:    besides what the regions take, memory for one carry more and for the stacks of a scan.
[[nodiscard]] std::vector<Outcome> run_control(const ir::Graph& graph, const ir::Node& node,
                                               std::span<const ops::View> operands,
                                               const Arguments& arguments,
                                               const RegionRunner& run_region,
                                               std::span<Buffer> donated);

}  // namespace ddx::backend
