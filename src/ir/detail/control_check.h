/// \file
/// An operation with regions, under examination.

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

/// Whether the regions take what the operands are and return what the results are, and have the
/// scalars and checks that the node names.
///
/// Throws:  UsageError that says what differs.
void check_control(const ControlCheck& check);

}  // namespace ddx::ir::detail
