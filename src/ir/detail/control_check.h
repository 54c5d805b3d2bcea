/// \file
/// Checks an operation with regions.

#pragma once

#include "ddx/ir/graph.h"
#include "ddx/ops/site.h"

#include <span>

namespace ddx::ir::detail {

/// A node with regions, and the types of its operands and results.
struct ControlCheck {
  ops::Site site;
  const Graph& graph;
  const Node& node;
  std::span<const Type> operands;
  std::span<const Type> results;
};

/// Checks that the regions' parameters match the operands, that their results match the node's, and
/// that they have the scalars and checks that the node names.
///
/// Throws:  UsageError that names the difference.
void check_control(const ControlCheck& check);

}  // namespace ddx::ir::detail
