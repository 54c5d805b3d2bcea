/// \file
/// Whether a graph is one that can run.

#pragma once

#include "ddx/ir/graph.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"

#include <span>

namespace ddx::ir {

/// Whether an operation on operands of these types, with these attributes, has results of these
/// types. All that a kernel relies on and that is known without the elements.
///
/// Throws:  UsageError that says what differs.
void check_types(const ops::Site& site, ops::Op op, std::span<const Type> operands,
                 const ops::Attributes& attributes, std::span<const Type> results);

/// Checks every node: its types, and that its scalars are of the kind that its fields are; and
/// regions in the same way, with what they take and return.
///
/// Throws:  InternalError with the node's line: graphs are made by this library.
/// Cost:    linear in the graph.
void verify(const Graph& graph);

}  // namespace ddx::ir
