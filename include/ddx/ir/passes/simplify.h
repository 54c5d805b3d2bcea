/// \file
/// Rewrites by rows: what is the same with fewer or cheaper operations.

#pragma once

#include "ddx/ir/graph.h"

#include <string_view>
#include <vector>

namespace ddx::ir {

/// The graph in which no row of the table of rewrites applies any more; constants are folded by one
/// of them. Runs first, so that the passes after it see one form of what can be said in several.
///
/// An operation that has a check stays as it is. Values stay the same bit by bit, but for the sign
/// of a zero, and for `pow` where its exponent is 2, which is rounded once.
///
/// Cost:    linear in the graph.
[[nodiscard]] Graph simplify(const Graph& graph);

/// The names of the rows, in the order in which they are tried.
[[nodiscard]] std::vector<std::string_view> simplification_names();

}  // namespace ddx::ir
