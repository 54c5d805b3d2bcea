/// \file
/// Runs a graph operation by operation.

#pragma once

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/scalars.h"
#include "ddx/ops/kernel.h"

#include <span>
#include <vector>

namespace ddx::backend {

/// Computes the results of a graph by the kernels of a back end, each node in turn: what runs where
/// nothing is compiled, and the judge of what is. Memory that no later node reads is given back at
/// once.
///
/// What kernels demand of elements, such as indices in range, is not asked: who makes the graph
/// has.
///
/// `parameters` and `scalars` have one element for each of the graph's. Results that are equal
/// share a buffer; one that is a parameter is copied.
///
/// Throws:  UsageError where a parameter has another type than the graph's, or the back end lacks a
///          kernel; EnvironmentError where the system has no more memory.
[[nodiscard]] std::vector<Buffer> evaluate(const ir::Graph& graph,
                                           std::span<const ops::View> parameters,
                                           std::span<const ir::ScalarValue> scalars,
                                           const Backend& backend);

}  // namespace ddx::backend
