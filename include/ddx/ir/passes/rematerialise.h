/// \file
/// Rematerialisation: recomputes cheap values where they are needed later, instead of storing them.

#pragma once

#include "ddx/ir/graph.h"

#include <cstdint>

namespace ddx::ir {

/// If one loop computes a value and only later loops read it, each of these recomputes it from
/// arrays that are in memory anyway. This applies only to large arrays, if the saved traffic
/// outweighs the operations and no more memory is live until then. A typical case is a gradient
/// that reads values of the forward pass between two products, such as the parts of an activation.
///
/// Compares the fusion plans before and after, and returns the unchanged graph if its loops would
/// not move less memory. Runs last: merging equal nodes would undo it.
///
/// Cost:    about linear in the graph.
[[nodiscard]] Graph rematerialise(const Graph& graph);

/// The same for arrays of `least_elements` or more (65536 above: smaller ones stay in the caches).
/// Regions are treated as above.
[[nodiscard]] Graph rematerialise(const Graph& graph, std::int64_t least_elements);

}  // namespace ddx::ir
