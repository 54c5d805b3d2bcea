/// \file
/// Which result of a graph is the next value of a parameter, as a step of training updates weights.

#pragma once

#include "ddx/ir/graph.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace ddx::ir {

/// For each parameter the index of the result that replaces it, if there is one. If a run may
/// overwrite the parameter, it computes this result in place.
///
/// A result can replace a parameter of its type that it depends on element by element: through
/// elementwise operations, the first operand of an update of parts, and the carry of loops. Each
/// parameter is paired with the nearest such result, and a result replaces one parameter at most.
/// The distance counts 1 for the first operand of an operation and 4 for the others. So
/// `w - rate * g` replaces w, and an average `a + k * (w - a)` replaces a and not w.
///
/// Returns: none for a parameter that no result within distance 64 replaces, or that is itself a
///          result.
/// Cost:    linear in the operations visited, at most 256 for each result.
[[nodiscard]] std::vector<std::optional<std::size_t>> replacements(const Graph& graph);

}  // namespace ddx::ir
