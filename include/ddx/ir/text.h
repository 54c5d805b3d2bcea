/// \file
/// Graphs as text, to be read by people and in again.
///
///   graph(%0: f32[128, 10], %1: i32[4]; #0: number; checks 1) {
///     %2: f32[] = full() {value = #0}
///     %3: f32[128, 10] = mul(%0, %2)
///     %4: f32[128] = sum(%3) {axes = 2}
///     %5: f32[4] = gather(%4, %1) !0
///     return %5, %3
///   }
///
/// Values are numbered from 0, parameters first. Attributes that are as they are by default are
/// left out, as are the ends of lists. `#0` is the first scalar, `!0` the first check. A number has
/// an `i` behind it where its integer form says the same, `(real, integer)` where it does not, and
/// `(real, integer, imaginary)` where it is complex.
///
/// An operation with regions names behind its operands the scalars and checks that they are given,
/// and has the regions in braces, behind the fields of a scan:
///
///   %4: f32[], %5: f32[9] = scan(%0, %1, %2; #0; !1) {
///     carries = 1,
///     slices = 1,
///     trips = 9,
///     body = graph(%0: f32[], %1: f32[], %2: f32[]; #0: number; checks 1) {
///       ...
///     }
///   }

#pragma once

#include "ddx/ir/graph.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace ddx::ir {

/// Renders as "f32[2, 3]".
[[nodiscard]] std::string to_string(const Type& type);

/// Renders the graph, a line per node, with a line feed at the end.
[[nodiscard]] std::string to_text(const Graph& graph);

/// Renders one node as its line, without indentation, line feed and regions.
[[nodiscard]] std::string to_text(const Graph& graph, std::size_t node);

/// Reads what `to_text` renders. Spaces and line ends separate and mean nothing else.
///
/// Throws:  UsageError where the text is no graph: what was expected, what stands there, line and
/// column.
///          It has not been verified.
[[nodiscard]] Graph parse_graph(std::string_view text);

}  // namespace ddx::ir
