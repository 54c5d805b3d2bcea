/// \file
/// Which result of a graph is the next value of a parameter, as a step of training updates weights.

#pragma once

#include "ddx/ir/graph.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace ddx::ir {

/// For each parameter the place of the result that replaces it, if there is one: where both may
/// have the same memory, a run can compute the result in place.
///
/// A result replaces a parameter of its type from which it comes through operations that compute
/// each element from those at its position (elementwise ones, the first operand of an update of
/// parts, the carry of loops). The nearest one is taken: an operation counts 1 for its first
/// operand and 4 for the others, so that `w - rate * g` replaces w, and an average `a + k * (w -
/// a)` replaces a and not w. Each result replaces one parameter. What is further than 64 is not
/// looked at.
///
/// Returns: none for parameters that no result replaces, and for those that are results themselves.
/// Cost:    linear in the operations that are looked at, at most 256 for each result.
[[nodiscard]] std::vector<std::optional<std::size_t>> replacements(const Graph& graph);

}  // namespace ddx::ir
