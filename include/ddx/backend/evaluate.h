/// \file
/// Runs a graph operation by operation.

#pragma once

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/scalars.h"
#include "ddx/ops/check.h"
#include "ddx/ops/kernel.h"

#include <exception>
#include <span>
#include <vector>

namespace ddx::backend {

/// What a graph is run with: an element for each of its parameters, scalars and checks.
struct Arguments {
  std::span<const ops::View> parameters;
  std::span<const ir::ScalarValue> scalars;
  std::span<const ops::Check> checks;
};

/// A result of a graph, or why there is none.
struct Outcome {
  Buffer elements;
  std::exception_ptr error;  ///< What a check has thrown, of this or of what this depends on.
};

/// Computes the results of a graph by the kernels of a back end, each node in turn: what runs where
/// nothing is compiled, and the judge of what is. Memory that no later node reads is given back at
/// once. A node whose check throws has no results, nor have those that depend on it; all others
/// are run. Results that are equal share a buffer; one that is a parameter is copied.
/// Of a `cond` one region runs. Where what a region returns has failed, so have all results of the
/// node that has it.
///
/// Throws:  UsageError where a parameter has another type than the graph's, or the back end lacks a
///          kernel; EnvironmentError where the system has no more memory.
[[nodiscard]] std::vector<Outcome> outcomes_of(const ir::Graph& graph, const Arguments& arguments,
                                               const Backend& backend);

/// The elements of the results of a graph without checks, computed as above.
///
/// Throws:  as above.
[[nodiscard]] std::vector<Buffer> evaluate(const ir::Graph& graph,
                                           std::span<const ops::View> parameters,
                                           std::span<const ir::ScalarValue> scalars,
                                           const Backend& backend);

}  // namespace ddx::backend
