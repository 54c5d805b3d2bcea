/// \file
/// Table-driven rewrites to fewer or cheaper operations.

#pragma once

#include "ddx/ir/graph.h"

#include <string_view>
#include <vector>

namespace ddx::ir {

/// Applies the table of rewrites until none matches; one of them folds constants. Runs first, so
/// that later passes see one form of equivalent expressions.
///
/// An operation with a check is not rewritten. Values stay equal bit for bit, except for the sign
/// of a zero, and for `pow` with exponent 2, which is rounded once.
///
/// Cost:    linear in the graph.
[[nodiscard]] Graph simplify(const Graph& graph);

/// The names of the rows, in the order in which they are tried.
[[nodiscard]] std::vector<std::string_view> simplification_names();

}  // namespace ddx::ir
