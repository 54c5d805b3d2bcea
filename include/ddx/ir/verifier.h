/// \file
/// Checks that a graph can run.

#pragma once

#include "ddx/ir/graph.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"

#include <span>

namespace ddx::ir {

/// Checks that an operation on operands of these types, with these attributes, has results of these
/// types: everything that a kernel relies on and that does not depend on elements.
///
/// Throws:  UsageError that names the difference.
void check_types(const ops::Site& site, ops::Op op, std::span<const Type> operands,
                 const ops::Attributes& attributes, std::span<const Type> results);

/// Checks every node: its types, and that its scalars have the kinds of their fields. Regions are
/// checked in the same way, with their parameters and results.
///
/// Throws:  InternalError with the node's line: graphs are made by this library.
/// Cost:    linear in the graph.
void verify(const Graph& graph);

}  // namespace ddx::ir
